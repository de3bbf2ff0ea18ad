package io.millrace.kernel;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The seams know neither of their two sides, and the two sides do not know each other. */
@AnalyzeClasses(packages = "io.millrace.kernel", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule SEAMS_KNOW_NO_SIDE = noClasses()
            .that()
            .resideInAPackage("io.millrace.kernel")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.millrace.kernel.real..", "io.millrace.kernel.sim..", "io.netty.channel..", "com.lmax..");

    @ArchTest
    static final ArchRule THE_REAL_SIDE_DOES_NOT_KNOW_THE_SIMULATED_ONE = noClasses()
            .that()
            .resideInAPackage("io.millrace.kernel.real..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.millrace.kernel.sim..");

    @ArchTest
    static final ArchRule THE_SIMULATED_SIDE_HAS_NO_WAY_OUT = noClasses()
            .that()
            .resideInAPackage("io.millrace.kernel.sim..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.millrace.kernel.real..",
                    "io.netty.channel..",
                    "com.lmax..",
                    "java.net..",
                    "java.nio.channels..")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.nio.file.Files")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Random")
            .orShould()
            .callConstructor(Thread.class);
}
