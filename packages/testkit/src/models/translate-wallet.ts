/** Translates the wallet's events to the words of the model. */
import type { Engine, Event } from "@pricetime/engine";
import { scaled, show } from "./amount.ts";
import type { Happening } from "./happening.ts";
import { reasonText } from "./wallet/limits-over-time.ts";

export function saidOfWallet(engine: Engine, event: Event): Happening | null {
  const words = wordsOf(engine, event);
  return words === null ? null : { kind: "said", words };
}

function wordsOf(engine: Engine, event: Event): string | null {
  const money = (assetId: number, units: bigint) => {
    const { asset, precision } = engine.asset(assetId).spec;
    return `${show(scaled(units, precision))} ${asset}`;
  };
  switch (event.type) {
    case "depositAddressAssigned": {
      const { accountId, network, address, tag } = event.address;
      return `address ${address}/${tag} on ${network} is of ${accountId}`;
    }
    case "depositChanged": {
      const { deposit, status, moved, shortage } = event;
      const { depositId, accountId, assetId, amount } = deposit;
      const change = `moved ${money(assetId, moved)} short ${money(assetId, shortage)}`;
      return `deposit ${depositId} of ${accountId}, ${money(assetId, amount)}, ${status} ${deposit.status}, ${change}`;
    }
    case "withdrawalChanged": {
      const { withdrawal, status, txId, why } = event;
      const { withdrawalId, accountId, assetId, amount, fee } = withdrawal;
      const what = `${money(assetId, amount)} fee ${money(assetId, fee)} on ${withdrawal.network}`;
      const { approvalReasons = [] } = withdrawal;
      const limits = approvalReasons.map(({ rule, hours, limit, sum }) => `; ${reasonText(rule, hours, limit, sum)}`);
      const became = `${status} ${withdrawal.status}, by ${txId}, ${why}${limits.join("")}`;
      return `withdrawal ${withdrawalId} of ${accountId}, ${what}, ${became}`;
    }
    case "transferred": {
      const { tranId, masterId, fromAccountId, toAccountId, assetId, amount, clientTranId } = event;
      const under = clientTranId === undefined ? "" : ` as ${clientTranId}`;
      return `${tranId}: ${masterId} transfers ${money(assetId, amount)} from ${fromAccountId} to ${toAccountId}${under}`;
    }
    case "dustConverted": {
      const { tranId, accountId, assetId, amount, dustAssetId, received, charge } = event;
      const price = `${money(dustAssetId, received)} charge ${money(dustAssetId, charge)}`;
      return `${tranId}: ${accountId} sells ${money(assetId, amount)} of dust for ${price}`;
    }
    case "dividendPaid":
      return `${event.tranId}: ${event.accountId} gets ${money(event.assetId, event.amount)}, ${event.info}`;
    case "maintenanceChanged":
      return `maintenance ${event.isOn}`;
    case "apiTradingLocked":
      return `${event.accountId} locked until ${event.untilMs}`;
    case "networkChanged":
      return `network ${event.network}`;
    case "letterChanged":
      return `letter of ${event.withdrawalId} is ${event.status}`;
    default:
      return null;
  }
}
