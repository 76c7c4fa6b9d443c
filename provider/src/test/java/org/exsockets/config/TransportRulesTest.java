package org.exsockets.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportRulesTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private static final String FACES = "net, nio or aio, or several of them with a comma between them, or end of line";

    @Test
    void ruleMayBeForSomeFaces() {
        TransportRules rules = parse("both * 80 tcp nio # and nothing else", "both * * exs net,nio");
        assertEquals(Verdict.EXS, rules.evaluate(RuleDirection.CONNECT, LOOPBACK, 80, Face.NET));
        assertEquals(Verdict.TCP, rules.evaluate(RuleDirection.CONNECT, LOOPBACK, 80, Face.NIO));
        assertEquals(Verdict.DEFAULT, rules.evaluate(RuleDirection.LISTEN, LOOPBACK, 80, Face.AIO));
        assertEquals(Verdict.DEFAULT, rules.evaluate(RuleDirection.LISTEN, LOOPBACK, 80, null), "the ES-API");
        assertEquals("r:1: both * 80 tcp nio", rules.deciding(RuleDirection.CONNECT, LOOPBACK, 80, Face.NIO));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "both * * exs                      | CONNECT | 10.1.2.3        | 80    | EXS",
                "both * * exs                      | LISTEN  | ::1             | 80    | EXS",
                "connect * * exs                   | LISTEN  | 10.1.2.3        | 80    | DEFAULT",
                "listen * * tcp                    | LISTEN  | 10.1.2.3        | 80    | TCP",
                "listen * * tcp                    | CONNECT | 10.1.2.3        | 80    | DEFAULT",
                "both 10.1.2.3 * exs               | CONNECT | 10.1.2.3        | 80    | EXS",
                "both 10.1.2.3 * exs               | CONNECT | 10.1.2.4        | 80    | DEFAULT",
                "both 10.0.0.0/8 * exs             | CONNECT | 10.255.255.255  | 80    | EXS",
                "both 10.0.0.0/8 * exs             | CONNECT | 11.0.0.0        | 80    | DEFAULT",
                "both 10.9.9.9/8 * exs             | CONNECT | 10.1.1.1        | 80    | EXS",
                "both 192.168.0.128/25 * exs       | CONNECT | 192.168.0.127   | 80    | DEFAULT",
                "both 192.168.0.128/25 * exs       | CONNECT | 192.168.0.128   | 80    | EXS",
                "both 0.0.0.0/0 * exs              | CONNECT | 1.2.3.4         | 80    | EXS",
                "both 0.0.0.0/0 * exs              | CONNECT | fd00::1         | 80    | DEFAULT",
                "both ::/0 * exs                   | CONNECT | fd00::1         | 80    | EXS",
                "both ::/0 * exs                   | CONNECT | 1.2.3.4         | 80    | DEFAULT",
                "both fd00::/8 * exs               | CONNECT | fdff:1::2       | 80    | EXS",
                "both fd00::/8 * exs               | CONNECT | fe00::1         | 80    | DEFAULT",
                "both fd00::1:0/112 * exs          | CONNECT | fd00::1:ffff    | 80    | EXS",
                "both fd00::1:0/112 * exs          | CONNECT | fd00::2:0       | 80    | DEFAULT",
                "both fd00::/64 * exs              | CONNECT | fd00::ffff:0:0:0 | 80   | EXS",
                "both fd00::/64 * exs              | CONNECT | fd00:0:0:1::    | 80    | DEFAULT",
                "both [::1] * exs                  | CONNECT | ::1             | 80    | EXS",
                "both [fd00::]/8 * exs             | CONNECT | fd00::1         | 80    | EXS",
                "both ::ffff:10.1.2.3 * exs        | CONNECT | 10.1.2.3        | 80    | EXS",
                "both ::ffff:10.1.2.0/120 * exs    | CONNECT | 10.1.2.77       | 80    | EXS",
                "both ::ffff:0:0/96 * exs          | CONNECT | 1.2.3.4         | 80    | EXS",
                "both * 80 exs                     | CONNECT | 1.2.3.4         | 80    | EXS",
                "both * 80 exs                     | CONNECT | 1.2.3.4         | 81    | DEFAULT",
                "both * 80-90 exs                  | CONNECT | 1.2.3.4         | 79    | DEFAULT",
                "both * 80-90 exs                  | CONNECT | 1.2.3.4         | 90    | EXS",
                "both * 80-90 exs                  | CONNECT | 1.2.3.4         | 91    | DEFAULT",
                "both * 1-65535 exs                | CONNECT | 1.2.3.4         | 65535 | EXS",
                "listen * * exs                    | LISTEN  | 0.0.0.0         | 80    | EXS",
                "listen 0.0.0.0 * exs              | LISTEN  | 0.0.0.0         | 80    | EXS",
                "listen 0.0.0.0 * exs              | LISTEN  | ::              | 80    | EXS",
                "listen :: * exs                   | LISTEN  | 0.0.0.0         | 80    | EXS",
                "listen 0.0.0.0/0 * exs            | LISTEN  | ::              | 80    | EXS",
                "listen 127.0.0.1 * exs            | LISTEN  | 0.0.0.0         | 80    | DEFAULT",
                "listen 0.0.0.0 * exs              | LISTEN  | 127.0.0.1       | 80    | DEFAULT",
                "listen example.org * exs          | LISTEN  | 0.0.0.0         | 80    | DEFAULT",
            })
    void aLineMatches(String line, RuleDirection direction, String address, int port, Verdict expected)
            throws Exception {
        TransportRules rules = parse(line);
        assertEquals(expected, rules.evaluate(direction, InetAddress.getByName(address), port, Face.NET));
    }

    @Test
    void noRulesGiveNoVerdict() {
        assertEquals(Verdict.DEFAULT, TransportRules.NONE.evaluate(RuleDirection.CONNECT, LOOPBACK, 80, Face.NET));
        assertTrue(parse("", "   ", "# only a comment").isEmpty());
    }

    @Test
    void theFirstMatchingLineDecides() throws Exception {
        TransportRules rules = parse(
                "# the database stays on TCP",
                "",
                "connect\t127.0.0.1   5432 tcp # for now",
                "both 127.0.0.0/8 * exs",
                "both * * tcp");
        assertEquals(Verdict.TCP, rules.evaluate(RuleDirection.CONNECT, LOOPBACK, 5432, Face.NET));
        assertEquals(Verdict.EXS, rules.evaluate(RuleDirection.LISTEN, LOOPBACK, 5432, Face.NET));
        assertEquals(Verdict.EXS, rules.evaluate(RuleDirection.CONNECT, LOOPBACK, 80, Face.NET));
        assertEquals(
                Verdict.TCP, rules.evaluate(RuleDirection.CONNECT, InetAddress.getByName("10.1.1.1"), 80, Face.NET));
    }

    @Test
    void aMappedAddressThatTheJdkKeptAsIpv6IsIpv4() throws Exception {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 10, 1, 2, 3};
        InetAddress address = Inet6Address.getByAddress(null, mapped, -1);
        assertEquals(
                Verdict.EXS, parse("both 10.0.0.0/8 * exs").evaluate(RuleDirection.CONNECT, address, 80, Face.NET));
        assertEquals(Verdict.DEFAULT, parse("both ::/0 * exs").evaluate(RuleDirection.CONNECT, address, 80, Face.NET));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "konnect * * exs            | r:1:1: found konnect, expected connect, listen or both",
                "both 10.0.0.0/33 * exs     | r:1:6: found 10.0.0.0/33, expected a prefix length from 0 to 32",
                "both 10.0.0.0/ * exs       | r:1:6: found 10.0.0.0/, expected a prefix length from 0 to 32",
                "both ::/129 * exs          | r:1:6: found ::/129, expected a prefix length from 0 to 128",
                "both ::ffff:1.2.3.4/9 * exs| r:1:6: found ::ffff:1.2.3.4/9, expected a prefix length from 96 to 128",
                "both 10.0.0 * exs          | r:1:6: found 10.0.0, expected an IPv4 address such as 192.168.0.1",
                "both 10.0.0.256 * exs      | r:1:6: found 10.0.0.256, expected an IPv4 address such as 192.168.0.1",
                "both 1:2 * exs             | r:1:6: found 1:2, expected an IPv6 address such as fd00::1",
                "both [::1 * exs            | r:1:6: found [::1, expected an IPv6 address such as fd00::1",
                "both fe80::1%eth0 * exs    | r:1:6: found fe80::1%eth0, expected an IPv6 address without a zone",
                "both db/24 * exs           | r:1:6: found db/24, expected no prefix length after a host name",
                "both a,b * exs             | r:1:6: found a,b, expected HOST, HOST/PREFIX or *",
                "both */8 * exs             | r:1:6: found */8, expected HOST, HOST/PREFIX or *",
                "both * http exs            | r:1:8: found http, expected PORT, PORT-PORT or *",
                "both * 0 exs               | r:1:8: found 0, expected ports from 1 to 65535",
                "both * 80-65536 exs        | r:1:8: found 80-65536, expected ports from 1 to 65535",
                "both * 90-80 exs           | r:1:8: found 90-80, expected the lower port first",
                "both * * rdma              | r:1:10: found rdma, expected exs or tcp",
                "both                       | r:1:5: found end of line, expected HOST, HOST/PREFIX or *",
                "both * 80 # exs            | r:1:10: found end of line, expected exs or tcp",
                "both * * exs please        | r:1:14: found please, expected " + FACES,
                "both * * exs net,          | r:1:14: found net,, expected " + FACES,
                "both * * exs net,aio now   | r:1:22: found now, expected end of line or # and a comment",
            })
    void aBadLineIsReportedWithItsPlaceAndWhatWasExpected(String line, String expected) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> parse(line));
        assertEquals(expected, thrown.getMessage());
    }

    @Test
    void allBadLinesAndWordsAreReported() {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class, () -> parse("both * * exs", "x * 0 exs", "", "both * * yes"));
        assertEquals("""
                r:2:1: found x, expected connect, listen or both
                r:2:5: found 0, expected ports from 1 to 65535
                r:4:10: found yes, expected exs or tcp""", thrown.getMessage());
    }

    @Test
    void aHostNameIsResolvedOnceWhenItsRuleFirstComesIntoQuestion() throws Exception {
        InetAddress first = InetAddress.getByName("10.0.0.1");
        InetAddress second = InetAddress.getByName("fd00::1");
        List<String> asked = new ArrayList<>();
        TransportRules rules = parse("connect db.example 5432 exs", name -> {
            asked.add(name);
            return new InetAddress[] {first, second};
        });
        assertEquals(Verdict.DEFAULT, rules.evaluate(RuleDirection.LISTEN, first, 5432, Face.NET));
        assertEquals(Verdict.DEFAULT, rules.evaluate(RuleDirection.CONNECT, first, 80, Face.NET));
        assertEquals(List.of(), asked);
        assertEquals(Verdict.EXS, rules.evaluate(RuleDirection.CONNECT, first, 5432, Face.NET));
        assertEquals(Verdict.EXS, rules.evaluate(RuleDirection.CONNECT, second, 5432, Face.NET));
        assertEquals(Verdict.DEFAULT, rules.evaluate(RuleDirection.CONNECT, LOOPBACK, 5432, Face.NET));
        assertEquals(List.of("db.example"), asked);
    }

    @Test
    void aHostNameThatCannotBeResolvedMatchesNothingAndIsReportedOnce() {
        List<String> reports = new ArrayList<>();
        TransportRules rules = parse("both db.example * exs", name -> {
            throw new UnknownHostException(name);
        });
        rules.reportProblemsTo(reports::add);
        assertEquals(Verdict.DEFAULT, rules.evaluate(RuleDirection.CONNECT, LOOPBACK, 80, Face.NET));
        assertEquals(Verdict.DEFAULT, rules.evaluate(RuleDirection.CONNECT, LOOPBACK, 80, Face.NET));
        assertEquals(List.of("r:1:6: host name db.example cannot be resolved; the rule matches nothing"), reports);
    }

    @Test
    void aNameServiceThatConnectsWhileItResolvesDoesNotWaitForItself() {
        TransportRules[] rules = new TransportRules[1];
        List<Verdict> inner = new ArrayList<>();
        rules[0] = parse("both db.example * exs", name -> {
            inner.add(rules[0].evaluate(RuleDirection.CONNECT, LOOPBACK, 53, Face.NET));
            return new InetAddress[] {LOOPBACK};
        });
        assertEquals(Verdict.EXS, rules[0].evaluate(RuleDirection.CONNECT, LOOPBACK, 80, Face.NET));
        assertEquals(List.of(Verdict.DEFAULT), inner);
    }

    @Test
    void theDecidingLineIsToldWithItsPlace() {
        TransportRules rules = parse("# a comment", "connect  10.0.0.0/8 80-90  exs # why", "both * * tcp");
        assertEquals(List.of("r:2: connect 10.0.0.0/8 80-90 exs", "r:3: both * * tcp"), rules.lines());
        assertEquals("r:3: both * * tcp", rules.deciding(RuleDirection.CONNECT, LOOPBACK, 80, Face.NET));
        assertNull(parse("listen * * exs").deciding(RuleDirection.CONNECT, LOOPBACK, 80, Face.NET));
    }

    @ParameterizedTest
    @CsvSource({
        "both * * exs, true",
        "both * * tcp, false",
        "both 127.0.0.1 * exs, false",
        "both 127.0.0.0/8 * exs, false",
        "both 126.0.0.0/7 * exs, true",
        "both ::1 * exs, false",
        "both ::/0 * exs, true",
        "both 10.0.0.0/8 * exs, true",
        "both localhost * exs, true",
    })
    void onlyRulesBeyondLoopbackMayAskForAnAdapter(String line, boolean expected) {
        assertEquals(expected, parse(line).mayAskForAdapter());
    }

    private static TransportRules parse(String... lines) {
        RulesParser parser = new RulesParser("r");
        TransportRules rules = parser.parse(List.of(lines));
        if (!parser.problems().isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", parser.problems()));
        }
        return rules;
    }

    private static TransportRules parse(String line, HostPattern.HostResolver resolver) {
        return new RulesParser("r", resolver).parse(List.of(line));
    }
}
