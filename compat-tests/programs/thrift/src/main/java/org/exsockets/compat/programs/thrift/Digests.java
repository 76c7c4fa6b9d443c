package org.exsockets.compat.programs.thrift;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.exsockets.compat.programs.driver.Content;

/** The service "digest": bytes come, as many other ones go back, and the digest of those that came. Stateless. */
final class Digests implements TProcessor {
    static final String NAME = "digest";

    /** What is called, and what is answered. */
    static void write(TProtocol out, byte type, int number, byte[] bytes, String text) throws TException {
        out.writeMessageBegin(new TMessage(NAME, type, number));
        out.writeBinary(ByteBuffer.wrap(bytes));
        out.writeString(text);
        out.writeMessageEnd();
        out.getTransport().flush();
    }

    static byte[] bytes(ByteBuffer read) {
        byte[] bytes = new byte[read.remaining()];
        read.get(bytes);
        return bytes;
    }

    @Override
    public void process(TProtocol in, TProtocol out) throws TException {
        TMessage call = in.readMessageBegin();
        byte[] bytes = bytes(in.readBinary());
        String text = in.readString();
        in.readMessageEnd();
        byte[] answer = Content.bytes(bytes.length, bytes.length);
        write(out, TMessageType.REPLY, call.seqid, answer, text + Content.hash(bytes));
    }
}
