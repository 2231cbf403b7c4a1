/** DELETE order and openOrders. Interface 4.2, 3.4 and S.16. */
import type { CancelOrder, MarketView } from "@pricetime/engine";
import type { Outcome } from "../../journal/sequencer/port.ts";
import type { Call, DEFERRED } from "../call.ts";
import { type MaybeLong, writtenRows } from "../answers/long-list.ts";
import { marketOf } from "../markets.ts";
import { orGenerated } from "./order-command.ts";
import { canceledBodies, type Ending, endingJson, endingsIn } from "./order-list-shape.ts";
import { submit } from "../submit.ts";

/** The parameters that name the order to cancel and the cancel itself. */
export interface CancelNames {
  readonly orderId: string;
  readonly origClientOrderId: string;
  readonly newClientOrderId: string;
}

/** Rows written in one turn. */
const ENDINGS_A_PIECE = 64;

const NAMES: CancelNames = {
  orderId: "orderId",
  origClientOrderId: "origClientOrderId",
  newClientOrderId: "newClientOrderId",
};

/** Replaces a sent `orderId` of 0: no order has either number, but to the engine 0 means that none was sent. */
const NO_ORDER = Number.MAX_SAFE_INTEGER;

export function cancelCommand(call: Call, market: MarketView, names: CancelNames): CancelOrder {
  const orderId = call.integer(names.orderId);
  return {
    type: "cancelOrder",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    orderId: orderId === 0 ? NO_ORDER : (orderId ?? 0),
    origClientOrderId: call.optionalText(names.origClientOrderId) ?? "",
    newClientOrderId: orGenerated(call, call.optionalText(names.newClientOrderId) ?? ""),
  };
}

/** Cancelling one order of a list cancels the list, and returns the answer for a list. */
export function cancelOrder(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  return submit(call, cancelCommand(call, market, NAMES), {
    context: "cancel",
    body: ({ events, timeMs }) => canceledBodies(call.venue.engine, market, events, timeMs).join(""),
  });
}

export function cancelOpenOrders(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const { symbolId } = market;
  const command = { type: "cancelOpenOrders", symbolId, accountId: call.accountId() } as const;
  return submit(
    call,
    { ...command, newClientOrderId: call.venue.ids.clientOrderId() },
    {
      context: "cancel",
      body: (outcome) => endingsList(call, market, outcome),
    },
  );
}

/** There may be as many as the account had open orders. */
function endingsList(call: Call, market: MarketView, { events, timeMs }: Outcome): MaybeLong {
  const { engine, turns } = call.venue;
  const write = (ending: Ending): string => endingJson(engine, market, ending, timeMs);
  return writtenRows(turns, { rows: endingsIn(events) }, write, ENDINGS_A_PIECE);
}
