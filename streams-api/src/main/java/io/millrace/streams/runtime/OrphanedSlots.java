package io.millrace.streams.runtime;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts the open transactions of slots that no member has any more, for example after fewer workers were started
 * than had been killed. Without it they would hold back readers until their timeout; so failing here only costs time.
 */
final class OrphanedSlots {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanedSlots.class);
    private static final int TIMEOUT_SECONDS = 5;

    private final Admin admin;
    private final String slotPrefix;

    OrphanedSlots(Admin admin, String slotPrefix) {
        this.admin = admin;
        this.slotPrefix = slotPrefix;
    }

    void abortAllBut(Set<Integer> liveSlots) {
        try {
            Collection<TransactionListing> open = admin.listTransactions(
                            new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING)))
                    .all()
                    .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            List<String> orphans = open.stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> isOrphan(id, liveSlots))
                    .toList();
            if (!orphans.isEmpty()) {
                LOG.info("aborting what slots without an owner left open: {}", orphans);
                admin.fenceProducers(orphans).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "could not look for orphaned slots of {}: {}; their timeout will free them",
                    slotPrefix,
                    e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isOrphan(String id, Set<Integer> liveSlots) {
        if (!id.startsWith(slotPrefix)) {
            return false;
        }
        String slot = id.substring(slotPrefix.length());
        return slot.chars().allMatch(Character::isDigit) && !liveSlots.contains(Integer.parseInt(slot));
    }
}
