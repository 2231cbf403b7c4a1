/** Deposits on their way, each with the blocks that confirm it by now. */
import type { EngineView } from "@pricetime/engine";
import { z } from "zod";
import type { DepositRow, DepositStatusCode } from "../../shapes/wallet-rows.ts";
import { MAX_LISTED_DEPOSITS, WEIGHTS } from "./limits.ts";
import { ofAccount, ownAccount, queryOf } from "./parse.ts";
import { type AccountParts, type AccountRoute, ok, own } from "./port.ts";

const querySchema = z.strictObject(ofAccount);
/** Pending, and credited but not final. */
const ON_THE_WAY: readonly DepositStatusCode[] = [0, 6];

export function depositRoutes(parts: AccountParts): AccountRoute[] {
  const { view, history } = parts;
  return [
    own({
      method: "GET",
      path: "deposits",
      weight: WEIGHTS.read,
      handle: async (request) => {
        const { accountId } = ownAccount(parts, request, queryOf(querySchema, request).account);
        const { seq } = view;
        const asked = ON_THE_WAY.map((status) =>
          history.deposits(seq, accountId, { status, limit: MAX_LISTED_DEPOSITS }),
        );
        const rows = (await Promise.all(asked)).flat();
        return ok(rows.toSorted((a, b) => b.insertTimeMs - a.insertTimeMs).map((row) => depositBody(parts, row)));
      },
    }),
  ];
}

function depositBody({ view, wallet }: AccountParts, row: DepositRow): object {
  const { depositId, network, txId, output, amount, address, tag, insertTimeMs } = row;
  const { credit, final } = thresholds(view, row);
  const isCredited = row.status === ON_THE_WAY[1];
  // A node that does not read the chain knows what the journal says: at least so many.
  const confirmations = wallet.depthOf({ network, txId, output }) ?? (isCredited ? credit : 0);
  return {
    ...{ id: String(depositId), asset: view.asset(row.assetId).spec.asset, amount, network, address, tag, txId },
    ...{ insertTimeMs, isCredited, confirmations, creditConfirmations: credit, finalConfirmations: final },
  };
}

function thresholds(view: EngineView, { assetId, network }: DepositRow): { credit: number; final: number } {
  const spec = view.asset(assetId).spec.networks.find((each) => each.network === network);
  const credit = spec?.creditConfirmations ?? 1;
  return { credit, final: Math.max(credit, spec?.finalConfirmations ?? credit) };
}
