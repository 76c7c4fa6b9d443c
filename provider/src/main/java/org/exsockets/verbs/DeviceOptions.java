package org.exsockets.verbs;

import java.nio.file.Path;

/**
 * What the user has set for devices.
 *
 * @param connectTimeoutMs bound of one connect to another host, in milliseconds, ≥ 1
 * @param nativeDirectory where a native library may be unpacked to and executed; null to let the device choose
 * @param foreignDisni an installed libdisni to use instead of the one in the jar; null for ours
 * @param nativeCopy whether native code may copy into shared memory
 */
public record DeviceOptions(int connectTimeoutMs, Path nativeDirectory, Path foreignDisni, boolean nativeCopy) {
    public DeviceOptions {
        if (connectTimeoutMs < 1) {
            throw new IllegalArgumentException("device options: out of range: connectTimeoutMs=" + connectTimeoutMs);
        }
    }
}
