package org.exsockets.bench.e2e;

/** What a row is judged by, and how it follows from a round's figures. */
enum Measure {
    LATENCY("us p50", "us/op", false) {
        @Override
        double value(Sample sample) {
            return sample.get("p50Ns") / 1e3;
        }
    },
    THROUGHPUT("GB/s", "s/GB", true) {
        @Override
        double value(Sample sample) {
            return sample.get("bytes") / sample.get("elapsedNs");
        }

        @Override
        double cpu(Sample sample) {
            return sample.get("cpuNs") / sample.get("bytes");
        }
    },
    /** The median throughput of the receiver's slices of time, so that stalls do not count. */
    SLICES("MB/s", "s/GB", true) {
        @Override
        double value(Sample sample) {
            return sample.get("server.sliceBytesPerNs") * 1e3;
        }

        @Override
        double cpu(Sample sample) {
            return sample.get("machineCpuNs") / sample.get("bytes");
        }
    },
    RATE("1/s", "us/op", true) {
        @Override
        double value(Sample sample) {
            return sample.get("operations") / sample.get("elapsedNs") * 1e9;
        }
    },
    IDLE("ms/s", "ms/s", false) {
        @Override
        double value(Sample sample) {
            return cpu(sample);
        }

        @Override
        double cpu(Sample sample) {
            return sample.get("cpuNs") / sample.get("elapsedNs") * 1e3;
        }
    },
    /** The time from start to end of a program. */
    START_UP("ms", "-", false) {
        @Override
        double value(Sample sample) {
            return sample.get("elapsedNs") / 1e6;
        }

        @Override
        double cpu(Sample sample) {
            return Double.NaN;
        }
    },
    /** The time from start to end of a client, and the CPU time of it and its server. */
    FIRST("ms", "ms", false) {
        @Override
        double value(Sample sample) {
            return sample.get("elapsedNs") / 1e6;
        }

        @Override
        double cpu(Sample sample) {
            return sample.get("cpuNs") / 1e6;
        }
    },
    /** Bytes allocated per operation: the worst of all operations and both sides. */
    ALLOCATION("B/op", "us/op", false) {
        @Override
        double value(Sample sample) {
            double worst = 0;
            for (String side : new String[] {"", "server."}) {
                for (String operation : AllocationTable.OPERATIONS) {
                    double bytes = sample.get(side + operation + "AllocatedBytes");
                    worst = Double.isNaN(bytes) ? worst : Math.max(worst, bytes);
                }
            }
            return worst;
        }
    };

    final String unit;
    final String cpuUnit;
    private final boolean moreIsBetter;

    Measure(String unit, String cpuUnit, boolean moreIsBetter) {
        this.unit = unit;
        this.cpuUnit = cpuUnit;
        this.moreIsBetter = moreIsBetter;
    }

    abstract double value(Sample sample);

    static double p99Us(Sample sample) {
        return sample.get("p99Ns") / 1e3;
    }

    /** {@return whether the time of one operation has a meaning in such a row} */
    boolean showsLatency() {
        return this == LATENCY || this == RATE;
    }

    /** CPU time of both processes, in {@link #cpuUnit}. */
    double cpu(Sample sample) {
        return sample.get("cpuNs") / sample.get("operations") / 1e3;
    }

    /** {@return how many times better than the baseline: above 1 is better whatever the unit} */
    double gain(double baseline, double value) {
        return moreIsBetter ? value / baseline : baseline / value;
    }
}
