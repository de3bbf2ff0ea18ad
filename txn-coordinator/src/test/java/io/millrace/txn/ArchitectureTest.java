package io.millrace.txn;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The coordinator knows commands, events and replies: no sockets, no files, no time of its own, no broker. */
@AnalyzeClasses(packages = "io.millrace.txn", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule KNOWS_NOTHING_OF_THE_WORLD = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.millrace.broker..",
                    "io.millrace.kernel.real..",
                    "io.millrace.kernel.sim..",
                    "io.netty..",
                    "java.net..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "org.apache.kafka..")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime");
}
