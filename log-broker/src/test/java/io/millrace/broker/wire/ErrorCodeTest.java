package io.millrace.broker.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {

    @ParameterizedTest
    @EnumSource
    void has_the_number_that_the_protocol_gives_it(ErrorCode code) {
        assertThat(code.code()).isEqualTo(Errors.valueOf(code.name()).code());
    }
}
