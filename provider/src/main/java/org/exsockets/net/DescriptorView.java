package org.exsockets.net;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import jdk.nio.Channels;

/** A selectable view of a descriptor that another object owns and closes. */
final class DescriptorView {
    private DescriptorView() {}

    static SelectableChannel of(FileDescriptor descriptor) throws IOException {
        Channels.SelectableChannelCloser leaveOpen = new Channels.SelectableChannelCloser() {
            @Override
            public void implCloseChannel(SelectableChannel channel) {
                // The descriptor is its owner's to close.
            }

            @Override
            public void implReleaseChannel(SelectableChannel channel) {
                // Likewise.
            }
        };
        SelectableChannel view = Bypass.call(new Bypass.Call<>() {
            @Override
            public SelectableChannel call() throws IOException {
                return Channels.readWriteSelectableChannel(descriptor, leaveOpen);
            }
        });
        view.configureBlocking(false);
        return view;
    }
}
