package io.millrace.broker.api;

import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;

/** Which APIs and features there are, and whether the client has reached the cluster that it means. */
final class ApiVersionsApi {
    private static final Pattern SOFTWARE = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9\\-.]*[a-zA-Z0-9])?");
    private static final String TRANSACTION_VERSION = "transaction.version";
    private static final short TRANSACTION_VERSION_LEVEL = 2;
    /** Versions before this one cannot carry a feature whose lowest level is 0. */
    private static final short ZERO_LEVEL_SINCE = 4;

    private final ApiContext context;
    private final Supplier<ApiVersionCollection> advertised;

    ApiVersionsApi(ApiContext context, Supplier<ApiVersionCollection> advertised) {
        this.context = context;
        this.advertised = advertised;
    }

    CompletableFuture<ApiVersionsResponseData> apiVersions(RequestContext request) {
        ApiVersionsRequestData body = request.body(ApiVersionsRequestData.class);
        ApiVersionsResponseData response = new ApiVersionsResponseData();
        if (request.version() >= 3) {
            if (!isSoftware(body.clientSoftwareName()) || !isSoftware(body.clientSoftwareVersion())) {
                return Gather.now(response.setErrorCode(ErrorCode.INVALID_REQUEST.code()));
            }
            request.memory().software(body.clientSoftwareName(), body.clientSoftwareVersion());
        }
        if (!isMeant(body)) {
            return Gather.now(response.setErrorCode(ErrorCode.REBOOTSTRAP_REQUIRED.code()));
        }
        response.setApiKeys(advertised.get());
        if (request.version() >= ZERO_LEVEL_SINCE) {
            response.supportedFeatures()
                    .add(new SupportedFeatureKey()
                            .setName(TRANSACTION_VERSION)
                            .setMinVersion((short) 0)
                            .setMaxVersion(TRANSACTION_VERSION_LEVEL));
        }
        response.setFinalizedFeaturesEpoch(0);
        response.finalizedFeatures()
                .add(new FinalizedFeatureKey()
                        .setName(TRANSACTION_VERSION)
                        .setMinVersionLevel(TRANSACTION_VERSION_LEVEL)
                        .setMaxVersionLevel(TRANSACTION_VERSION_LEVEL));
        return Gather.now(response);
    }

    private static boolean isSoftware(String text) {
        return text != null && SOFTWARE.matcher(text).matches();
    }

    /** A client that knows whom it wants must not talk to somebody else at the same address (KIP-1242). */
    private boolean isMeant(ApiVersionsRequestData body) {
        boolean cluster = body.clusterId() == null
                || body.clusterId().equals(context.image().clusterId());
        boolean node = body.nodeId() < 0 || body.nodeId() == context.nodeId();
        return cluster && node;
    }
}
