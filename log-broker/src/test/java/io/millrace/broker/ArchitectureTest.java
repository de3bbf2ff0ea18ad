package io.millrace.broker;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.List;
import java.util.Random;

/** The layers of the broker, and the ways to the world outside that it does not have. */
@AnalyzeClasses(packages = "io.millrace.broker", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "io.millrace.broker";

    /** Lowest first: a package may import what stands before it, and nothing that stands after it. */
    private static final List<String> LAYERS = List.of(
            ROOT + ".settings",
            ROOT + ".wire",
            ROOT + ".log",
            ROOT + ".replication",
            ROOT + ".metadata",
            ROOT + ".quorum",
            ROOT + ".partition",
            ROOT + ".peers",
            ROOT + ".coordination",
            ROOT + ".group",
            ROOT + ".transactions",
            ROOT + ".server",
            ROOT + ".api",
            ROOT,
            ROOT + ".jobs",
            ROOT + ".cli");

    @ArchTest
    static void every_package_has_its_place(JavaClasses classes) {
        List<String> homeless = classes.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> layer(name) < 0)
                .distinct()
                .toList();
        if (!homeless.isEmpty()) {
            throw new AssertionError("packages without a place in the layers: " + homeless);
        }
    }

    @ArchTest
    static final ArchRule ARROWS_ONLY_GO_DOWN = ArchRuleDefinition.classes()
            .should(new ArchCondition<>("look down only") {
                @Override
                public void check(JavaClass from, ConditionEvents events) {
                    from.getDirectDependenciesFromSelf().forEach(dependency -> {
                        int target = layer(dependency.getTargetClass().getPackageName());
                        if (target > layer(from.getPackageName())) {
                            events.add(SimpleConditionEvent.violated(from, dependency.getDescription()));
                        }
                    });
                }
            });

    /** Generated messages belong to the layer that they are generated for. */
    private static int layer(String packageName) {
        String name = packageName.endsWith(".proto")
                ? packageName.substring(0, packageName.length() - ".proto".length())
                : packageName;
        return LAYERS.indexOf(name);
    }

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

    /** The base class of the lists in generated messages is all of them that is needed elsewhere. */
    @ArchTest
    static final ArchRule CODEC_INTERNALS_ONLY_IN_WIRE = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".wire")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "org.apache.kafka.common.record..",
                            "org.apache.kafka.common.requests..",
                            "org.apache.kafka.common.utils..",
                            "org.apache.kafka.common.compress..",
                            "org.apache.kafka.clients.consumer.internals..",
                            "org.apache.kafka.clients.producer.internals..")
                    .and(not(nameMatching(".*ImplicitLinkedHash.*"))));

    @ArchTest
    static final ArchRule MESSAGES_ONLY_IN_REQUEST_HANDLING = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".wire", ROOT + ".peers", ROOT + ".server", ROOT + ".api")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka.common.message..", "org.apache.kafka.common.protocol..");

    @ArchTest
    static final ArchRule THE_WORLD_ONLY_THROUGH_THE_SEAMS = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".cli")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callConstructor(Thread.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Random.class)
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.channels..", "java.net..", "io.netty.channel..", "com.lmax..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.nio.file.Files");

    @ArchTest
    static final ArchRule THE_WORLD_IS_CHOSEN_IN_ONE_PLACE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ROOT + ".EmbeddedBroker")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.millrace.kernel.real..", "io.millrace.kernel.sim..");

    @ArchTest
    static final ArchRule RATIS_ONLY_IN_THE_QUORUM = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".quorum")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.ratis..");

    @ArchTest
    static final ArchRule JOBS_ARE_KNOWN_IN_ONE_PLACE = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".jobs")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.millrace.streams..");
}
