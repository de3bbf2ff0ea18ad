package io.millrace.sinks.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.millrace.sinks", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule KNOWS_THE_LANGUAGE_ONLY = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.millrace.streams.runtime..",
                    "io.millrace.streams.state..",
                    "io.millrace.streams.operator..",
                    "io.millrace.streams.plan..",
                    "io.millrace.broker..",
                    "org.postgresql..",
                    "org.h2..");
}
