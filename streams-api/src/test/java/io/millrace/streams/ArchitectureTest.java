package io.millrace.streams;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;

@AnalyzeClasses(packages = "io.millrace.streams", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule ARROWS_ONLY_GO_DOWN = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("sink")
            .definedBy("io.millrace.streams.sink")
            .layer("language")
            .definedBy("io.millrace.streams")
            .layer("plan")
            .definedBy("io.millrace.streams.plan")
            .layer("state")
            .definedBy("io.millrace.streams.state")
            .layer("operator")
            .definedBy("io.millrace.streams.operator")
            .layer("runtime")
            .definedBy("io.millrace.streams.runtime")
            .whereLayer("language")
            .mayOnlyAccessLayers("sink")
            .whereLayer("sink")
            .mayNotAccessAnyLayer()
            .whereLayer("plan")
            .mayOnlyAccessLayers("language", "sink")
            .whereLayer("state")
            .mayNotAccessAnyLayer()
            .whereLayer("operator")
            .mayOnlyAccessLayers("language", "plan", "state")
            .whereLayer("runtime")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.millrace.streams.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule KNOWS_NO_BROKER = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.millrace.broker..", "io.millrace.kernel..", "io.millrace.txn..", "io.millrace.sinks..");

    @ArchTest
    static final ArchRule KAFKA_ONLY_BY_ITS_PUBLIC_PACKAGES = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.kafka.common.message..",
                    "org.apache.kafka.common.protocol..",
                    "org.apache.kafka.common.requests..",
                    "org.apache.kafka.common.utils..",
                    "org.apache.kafka.clients.producer.internals..",
                    "org.apache.kafka.clients.consumer.internals..");

    @ArchTest
    static final ArchRule CLOCK_AND_SLEEP_IN_ONE_PLACE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.millrace.streams.runtime.SystemTime")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Random.class);

    @ArchTest
    static final ArchRule ROCKSDB_ONLY_IN_STATE = noClasses()
            .that()
            .resideOutsideOfPackage("io.millrace.streams.state")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.rocksdb..");
}
