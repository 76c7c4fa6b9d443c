package org.exsockets.watch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.exsockets.connection.LiveConnections;
import org.exsockets.observe.Described;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.Statistics;
import org.exsockets.rendezvous.AcceptSources;

/** Answers from the counters that are there anyway. */
final class Sockets implements SocketsMXBean {
    private final Statistics jvm = Statistics.jvm();

    @Override
    public long getConnectionsSoft() {
        return jvm.connections(DeviceKind.SOFT);
    }

    @Override
    public long getConnectionsDisni() {
        return jvm.connections(DeviceKind.DISNI);
    }

    @Override
    public long getConnectionsTcp() {
        return jvm.connections(DeviceKind.TCP);
    }

    @Override
    public int getOpenConnections() {
        return LiveConnections.all().size();
    }

    @Override
    public int getOpenListeners() {
        return AcceptSources.live().size();
    }

    @Override
    public long getBytesSentDirect() {
        return jvm.traffic().bytesSentDirect;
    }

    @Override
    public long getBytesSentIndirect() {
        return jvm.traffic().bytesSentIndirect;
    }

    @Override
    public long getBytesReceivedDirect() {
        return jvm.traffic().bytesReceivedDirect;
    }

    @Override
    public long getBytesReceivedIndirect() {
        return jvm.traffic().bytesReceivedIndirect;
    }

    @Override
    public long getPhasesSent() {
        return jvm.traffic().sendingPhases;
    }

    @Override
    public long getPhasesReceived() {
        return jvm.traffic().receivingPhases;
    }

    @Override
    public long getBuffersGrown() {
        return jvm.buffersGrown();
    }

    @Override
    public long getBuffersRefused() {
        return jvm.buffersRefused();
    }

    @Override
    public Map<String, Long> getFallbacks() {
        return jvm.fallbacks();
    }

    @Override
    public List<Map<String, String>> listConnections() {
        return described(LiveConnections.all());
    }

    @Override
    public List<Map<String, String>> listListeners() {
        return described(AcceptSources.live());
    }

    private static List<Map<String, String>> described(List<? extends Described> all) {
        List<Map<String, String>> lines = new ArrayList<>();
        for (Described each : all) {
            Map<String, String> values = new LinkedHashMap<>();
            each.describe(values::put);
            lines.add(values);
        }
        return lines;
    }
}
