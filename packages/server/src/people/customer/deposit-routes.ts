/** Pending deposits with their confirmations. */
import type { EngineView } from "@pricetime/engine";
import { carriedText } from "../../history/shapes/amounts.ts";
import type { DepositRow, DepositStatusCode } from "../../history/shapes/wallet-rows.ts";
import { type CustomerAnswer, ok } from "./answer.ts";
import type { CustomerParts, CustomerRoute, SignedIn } from "./route.ts";
import { READ } from "./weights.ts";
import { askedAccount, ofAccountQuery } from "./own-account.ts";
import { MAX_LISTED_DEPOSITS } from "./limits.ts";

const PENDING: DepositStatusCode = 0;
/** Tradable, but not final. */
const CREDITED: DepositStatusCode = 6;

async function list(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const { view, history } = parts;
  const { accountId } = askedAccount(parts, asked);
  const { seq } = view;
  const of = (status: DepositStatusCode): Promise<DepositRow[]> =>
    history.deposits(seq, accountId, { status, limit: MAX_LISTED_DEPOSITS });
  const rows = (await Promise.all([of(PENDING), of(CREDITED)])).flat();
  return ok(rows.toSorted((a, b) => b.insertTimeMs - a.insertTimeMs).map((row) => depositBody(parts, row)));
}

function depositBody({ view, wallet }: CustomerParts, row: DepositRow): object {
  const { depositId, network, txId, output, address, tag, insertTimeMs } = row;
  const { spec } = view.asset(row.assetId);
  const amount = carriedText(spec, "depositStep", row.amount, network);
  const { credit, final } = thresholds(view, row);
  const isCredited = row.status === CREDITED;
  // A node that does not read the chain has only the journal, which gives a lower bound.
  const confirmations = wallet.depthOf({ network, txId, output }) ?? (isCredited ? credit : 0);
  return {
    ...{ id: String(depositId), asset: spec.asset, amount, network, address, tag, txId },
    ...{ insertTimeMs, isCredited, confirmations, creditConfirmations: credit, finalConfirmations: final },
  };
}

function thresholds(view: EngineView, { assetId, network }: DepositRow): { credit: number; final: number } {
  const spec = view.asset(assetId).spec.networks.find((each) => each.network === network);
  const credit = spec?.creditConfirmations ?? 1;
  return { credit, final: Math.max(credit, spec?.finalConfirmations ?? credit) };
}

export const DEPOSIT_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/deposits",
    weight: READ,
    summary: "Lists pending deposits with their confirmations.",
    answers:
      "A list, newest first, of `id`, `asset`, `amount`, `network`, `address`, `tag`, `txId`, `insertTimeMs`, `isCredited`, `confirmations`, `creditConfirmations`, `finalConfirmations`.",
    query: ofAccountQuery,
    handle: list,
  },
];
