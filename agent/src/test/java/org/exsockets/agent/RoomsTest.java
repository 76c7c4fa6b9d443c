package org.exsockets.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "org.exsockets.agent", importOptions = ImportOption.DoNotIncludeTests.class)
class RoomsTest {
    @ArchTest
    static final ArchRule premainRoomHoldsThePremainClassOnly = classes()
            .that()
            .resideInAPackage("org.exsockets.agent")
            .should()
            .haveSimpleName("ExsAgent")
            .orShould()
            .haveSimpleName("package-info");

    @ArchTest
    static final ArchRule visibleRoomsReachHiddenOnesByNameOnly = noClasses()
            .that()
            .resideInAnyPackage("org.exsockets.agent", "..isolation..", "..cli..", "..selftest..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..bootstrap..", "..tooling..", "org.exsockets.install..", "net.bytebuddy..");

    @ArchTest
    static final ArchRule selfTestIsProgramsThatKnowIsolationOnly = classes()
            .that()
            .resideInAPackage("..selftest..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.exsockets.agent.isolation", "org.exsockets.agent.selftest");

    /** Nothing of it is loaded where it is not asked for. */
    @ArchTest
    static final ArchRule onlyItsCommandUsesTheSelfTest = noClasses()
            .that()
            .resideOutsideOfPackages("..cli..", "..selftest..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..selftest..");

    @ArchTest
    static final ArchRule isolationAndBootstrapStandAlone = classes()
            .that()
            .resideInAnyPackage("..isolation..", "..bootstrap..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "jdk.internal.misc", "org.exsockets.agent.isolation", "org.exsockets.agent.bootstrap");

    @ArchTest
    static final ArchRule onlyBootstrapUsesInternalsOfTheJdk = noClasses()
            .that()
            .resideOutsideOfPackage("..bootstrap..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jdk.internal..", "sun..");

    @ArchTest
    static final ArchRule onlyToolingUsesAsm = noClasses()
            .that()
            .resideOutsideOfPackage("..tooling..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("net.bytebuddy..");

    @ArchTest
    static final ArchRule toolingKnowsTheProviderByItsSeamOnly = classes()
            .that()
            .resideInAPackage("..tooling..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "net.bytebuddy.jar.asm",
                    "org.exsockets.install",
                    "org.exsockets.jdk",
                    "org.exsockets.agent.bootstrap",
                    "org.exsockets.agent.tooling");
}
