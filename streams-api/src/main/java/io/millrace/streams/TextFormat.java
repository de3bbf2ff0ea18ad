package io.millrace.streams;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

final class TextFormat implements Format<String> {
    static final TextFormat UTF_8 = new TextFormat();

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
        try {
            // a fresh decoder reports malformed input; new String(bytes, UTF_8) would replace it silently
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new FormatException("text takes UTF-8, found %d bytes that are not".formatted(bytes.length), e);
        }
    }
}
