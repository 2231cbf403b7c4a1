/**
 * A customer's part of a proof, and its check against the public part: that every amount in it is in the sum that the
 * venue has told everybody. One line of JSON. docs/internals/proof-format.md.
 */
import { z } from "zod";
import { contextHash, customerHash, ENTRY_BYTES, DIGEST_BYTES, sumBytes, TreeHasher } from "./hashing.ts";
import { MAX_DEPTH, MAX_SUM } from "./limits.ts";
import { count, hex32, lineOf, linesOf, readLine, sumText } from "./read-text.ts";
import { demand } from "./refused.ts";
import { type AssetStatement, contextOf, type SignedStatement, type Statement } from "./statement.ts";

export const CUSTOMER_FORMAT = "pricetime-proof-customer-1";

const holdingSchema = z.strictObject({
  asset: z.string(),
  amount: sumText,
  /** The leaf's number. */
  index: count.max(2 ** MAX_DEPTH - 1),
  /** Sum and hash of each entry beside, from the leaf up. */
  path: z.array(z.tuple([sumText, hex32])).max(MAX_DEPTH),
});
const customerSchema = z.strictObject({
  format: z.literal(CUSTOMER_FORMAT),
  /** The digest of the public part. */
  statement: hex32,
  accountId: count,
  email: z.string().refine((text) => text.isWellFormed()),
  /** The account's own, another one in each proof. */
  secret: hex32,
  /** The venue says that it owes nothing of an asset by leaving it out. */
  holdings: z.array(holdingSchema),
});

export type CustomerPart = z.output<typeof customerSchema>;
export type HoldingPart = CustomerPart["holdings"][number];

export function customerText(part: CustomerPart): string {
  return `${lineOf(part)}\n`;
}

/** Throws `ProofRefused` when the text is no customer's part. It checks the form, and nothing that the part says. */
export function readCustomer(text: string): CustomerPart {
  const [line = ""] = linesOf(text, 1, "the customer's part");
  return readLine(line, customerSchema, "the customer's part");
}

/** Checks a customer's part against the public part. Throws `ProofRefused` with the first thing that is wrong. */
export function checkCustomer(part: CustomerPart, { statement, digest }: SignedStatement): void {
  demand(part.statement === digest, "the two files are not of one proof");
  const customer = customerHash(Buffer.from(part.secret, "hex"), part.accountId, part.email);
  const seen = new Set<string>();
  for (const holding of part.holdings) {
    const told = statement.assets.find(({ asset }) => asset === holding.asset);
    demand(told !== undefined, `${holding.asset}: the public part has no such asset`);
    demand(!seen.has(holding.asset), `${holding.asset} stands twice`);
    seen.add(holding.asset);
    checkHolding(holding, told, statement, customer);
  }
}

function checkHolding(
  { asset, amount, index, path }: HoldingPart,
  told: AssetStatement,
  of: Statement,
  customer: Buffer,
): void {
  demand(path.length === told.depth && index < 2 ** told.depth, `${asset}: the way is not as long as the tree is high`);
  const hasher = new TreeHasher(contextHash(contextOf(of, told)));
  const children = Buffer.alloc(2 * ENTRY_BYTES);
  let sum = BigInt(amount);
  let digest = hasher.leaf(index, customer, sumBytes(sum));
  let at = index;
  for (const [step, [besideSum, besideHash]] of path.entries()) {
    const isRight = at % 2 === 1;
    const [own, beside] = isRight ? [ENTRY_BYTES, 0] : [0, ENTRY_BYTES];
    children.write(digest, own, DIGEST_BYTES, "latin1");
    sumBytes(sum).copy(children, own + DIGEST_BYTES);
    children.write(besideHash, beside, DIGEST_BYTES, "hex");
    sumBytes(BigInt(besideSum)).copy(children, beside + DIGEST_BYTES);
    sum += BigInt(besideSum);
    demand(sum <= MAX_SUM, `${asset}: a sum on the way is beyond all bounds`);
    at = Math.floor(at / 2);
    digest = hasher.node(step + 1, at, children);
  }
  const root = Buffer.from(digest, "latin1").toString("hex");
  demand(root === told.root, `${asset}: the amount is not in the venue's total`);
  demand(sum === BigInt(told.total), `${asset}: the sums lead to another total`);
}
