package io.millrace.streams.runtime;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.apache.kafka.clients.admin.OffsetSpec;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What may stand behind {@code --reset}. */
final class ResetTarget implements ITypeConverter<OffsetSpec> {
    @Override
    public OffsetSpec convert(String text) {
        if (text.equals("earliest")) {
            return OffsetSpec.earliest();
        }
        try {
            return OffsetSpec.forTimestamp(Instant.parse(text).toEpochMilli());
        } catch (DateTimeParseException e) {
            throw new TypeConversionException(
                    "takes 'earliest' or a time like 2001-03-01T12:00:00Z, found '%s'".formatted(text));
        }
    }
}
