package io.millrace.streams;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

final class TextFormat implements Format<String> {
    static final TextFormat UTF_8 = new TextFormat();

    private static final char REPLACEMENT = '\uFFFD';

    private TextFormat() {}

    @Override
    public String name() {
        return "text";
    }

    @Override
    public byte[] write(String topic, String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String read(String topic, byte[] bytes) {
        // many times faster than a decoder, but what is malformed it replaces instead of reporting it
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.indexOf(REPLACEMENT) < 0 ? text : strict(bytes);
    }

    /** Tells bytes that are malformed from those that hold a replacement character themselves. */
    private static String strict(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new FormatException("text takes UTF-8, found %d bytes that are not".formatted(bytes.length), e);
        }
    }
}
