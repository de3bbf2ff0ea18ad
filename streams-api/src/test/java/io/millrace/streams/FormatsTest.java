package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.StringValue;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;

class FormatsTest {
    record Order(String id, int cents, Instant at) {}

    @Test
    void every_format_reads_what_it_wrote() {
        assertThat(roundTrip(Formats.text(), "müde")).isEqualTo("müde");
        assertThat(roundTrip(Formats.int32(), -7)).isEqualTo(-7);
        assertThat(roundTrip(Formats.int64(), Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(roundTrip(Formats.float64(), 0.1)).isEqualTo(0.1);
        UUID id = new UUID(1, 2);
        assertThat(roundTrip(Formats.uuid(), id)).isEqualTo(id);
        Order order = new Order("a", 3, Instant.parse("2001-01-01T00:47:00.123456Z"));
        assertThat(roundTrip(Formats.json(Order.class), order)).isEqualTo(order);
        StringValue message = StringValue.of("m");
        assertThat(roundTrip(Formats.protobuf(StringValue.class), message)).isEqualTo(message);
        assertThat(roundTrip(Formats.serde(Serdes.Integer()), 5)).isEqualTo(5);
        Windowed<String> window = new Windowed<>("k", Instant.ofEpochMilli(10), Instant.ofEpochMilli(20));
        assertThat(roundTrip(Formats.windowed(Formats.text()), window)).isEqualTo(window);
    }

    @Test
    void numbers_are_written_as_the_kafka_serializers_do() {
        assertThat(Formats.int64().write("t", 258L))
                .isEqualTo(Serdes.Long().serializer().serialize("t", 258L));
        assertThat(Formats.float64().write("t", 1.5))
                .isEqualTo(Serdes.Double().serializer().serialize("t", 1.5));
    }

    @Test
    void null_stays_null() {
        assertThat(Formats.text().writeNullable("t", null)).isNull();
        assertThat(Formats.json(Order.class).readNullable("t", null)).isNull();
        assertThat(Formats.none().readNullable("t", new byte[] {1})).isNull();
    }

    @Test
    void refuses_bytes_of_another_format_and_says_what_it_takes() {
        assertThatThrownBy(() -> Formats.int64().read("t", new byte[3]))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("int64 takes 8 bytes, found 3");
        assertThatThrownBy(() -> Formats.text().read("t", new byte[] {(byte) 0xff}))
                .isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> Formats.uuid().read("t", "no".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> json("{\"id\":\"a\"}")).isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> json("null")).isInstanceOf(FormatException.class);
        assertThatThrownBy(() -> json("[")).isInstanceOf(FormatException.class);
    }

    @Test
    void ignores_json_properties_it_does_not_know() {
        assertThat(json("{\"id\":\"a\",\"cents\":1,\"added\":true}")).isEqualTo(new Order("a", 1, null));
    }

    private static Order json(String text) {
        return Formats.json(Order.class).read("t", text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static <T> T roundTrip(Format<T> format, T value) {
        return format.read("t", format.write("t", value));
    }
}
