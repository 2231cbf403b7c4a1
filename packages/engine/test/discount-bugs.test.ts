/** The scenarios of the discount on commission find bugs in it: with each planted bug, one of them fails. */
import { CommissionDiscount } from "../src/state/commission-discount.ts";
import { FEE_ACCOUNT, Ledger, type Payment } from "../src/state/ledger.ts";
import { PlantedBugs } from "./scenario/planted.ts";

const SCENARIOS = new PlantedBugs("discount.txt");
/** The number of BNB, the fourth asset of the scenarios. */
const BNB = 3;

SCENARIOS.find({
  "a discounted commission is paid twice": () =>
    SCENARIOS.failingWith(Ledger.prototype, "pay", (_ledger, real, [payment]) => {
      real(payment);
      if ((payment as Payment).to === FEE_ACCOUNT && (payment as Payment).assetId === BNB) real(payment);
    }),
  "the discount is given twice": () =>
    SCENARIOS.failingWith(CommissionDiscount.prototype, "amountFor", (discount, real, args) => {
      const amount = real(...args) as bigint | null;
      return amount === null ? null : (amount * BigInt(discount.rules.factorBps)) / 10_000n;
    }),
  "the amount is rounded down": () =>
    SCENARIOS.failingWith(CommissionDiscount.prototype, "amountFor", (_discount, real, args) => {
      const amount = real(...args) as bigint | null;
      return amount === 1751n ? 1750n : amount;
    }),
  "the price follows the trades of the order": () =>
    SCENARIOS.failingWith(CommissionDiscount.prototype, "fixPrices", () => undefined),
  "an excluded symbol has the discount": () =>
    SCENARIOS.failingWith(CommissionDiscount.prototype, "appliesTo", () => true),
  "locked funds pay": () =>
    SCENARIOS.failingWith(Ledger.prototype, "balance", (_ledger, real, args) => {
      const { free, locked } = real(...args) as { free: bigint; locked: bigint };
      return args[1] === BNB ? { free: free + locked, locked } : { free, locked };
    }),
});
