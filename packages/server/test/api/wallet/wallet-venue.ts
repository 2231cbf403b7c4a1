/**
 * An exchange with assets to transfer: BTC (email confirmation), ETH (approval above 10), XRP (tags), USDT (no
 * networks).
 */
import type { AssetNetwork, CoinId, DepositContents, Permission } from "@pricetime/engine";
import { PERMISSIONS } from "@pricetime/engine";
import type { Parameters } from "@pricetime/testkit/client";
import { networkOf } from "@pricetime/testkit/commands";
import { type SignedOptions, type TestAnswer, type TestKey, TestVenue } from "@pricetime/testkit/gateway-venue";

const RULES = { withdrawStep: "0.001", creditConfirmations: 2, finalConfirmations: 12, approvalAbove: "10" };
const OPEN = networkOf("ETH", RULES);

export class WalletVenue extends TestVenue {
  /** The trader's, with every permission. */
  readonly all: TestKey;
  readonly subKey: TestKey;

  constructor(options: ConstructorParameters<typeof TestVenue>[0] = {}) {
    super(options);
    this.all = this.key(this.trader.accountId, PERMISSIONS);
    const subId = this.openAccount("sub@example.org", this.trader.accountId);
    this.subKey = this.key(subId, PERMISSIONS);
    this.setNetworks("ETH", OPEN);
    const xrp = { ...OPEN, network: "XRP", isTagged: true };
    const asset = { asset: "XRP", name: "Ripple", precision: 6, networks: [xrp] };
    this.act({ type: "listAsset", by: "test", asset });
    const { accountId } = this.trader;
    this.act({ type: "deposit", by: "test", accountId, asset: "XRP", amount: "500", reference: "xrp" });
  }

  setNetworks(asset: string, ...networks: readonly Partial<AssetNetwork>[]): void {
    const whole = networks.map((network) => ({ ...OPEN, ...network }));
    this.act({ type: "setAssetNetworks", by: "test", asset, networks: whole });
  }

  /** With every permission. */
  get(path: string, parameters: Parameters = {}, options: SignedOptions = {}): Promise<TestAnswer> {
    return this.signed("GET", path, parameters, { key: this.all, ...options });
  }
  post(path: string, parameters: Parameters = {}, options: SignedOptions = {}): Promise<TestAnswer> {
    return this.signed("POST", path, parameters, { key: this.all, ...options });
  }
  withdraw(parameters: Parameters = {}, options: SignedOptions = {}): Promise<TestAnswer> {
    const good = { asset: "ETH", address: "0xabc", amount: "1" };
    return this.post("/wapi/v3/withdraw.html", { ...good, ...parameters }, options);
  }

  keyWith(...permissions: readonly Permission[]): TestKey {
    return this.key(this.trader.accountId, permissions);
  }

  /** A pending deposit to the trader's address. */
  seeCoin(txId: string, amount: string, network = "ETH"): CoinId & DepositContents {
    const { accountId } = this.trader;
    const coin = { network, txId, output: 0 };
    const isTagged = network === "XRP";
    const address = isTagged ? "shared" : `${network}-${accountId}`;
    const tag = isTagged ? String(accountId) : "";
    if (this.engine.funds.depositAddress(accountId, network) === undefined) {
      this.act({ type: "assignDepositAddress", accountId, network, address, tag });
    }
    const reported = { ...coin, asset: network, address, tag, amount };
    this.act({ type: "seeDeposit", ...reported });
    return reported;
  }

  /** Free and locked, as in the account endpoint. */
  async balance(asset: string, key = this.all): Promise<readonly [free: string, locked: string]> {
    const { json } = await this.signed("GET", "/api/v3/account", {}, { key });
    const found = json.balances.find((one: { asset: string }) => one.asset === asset);
    return [found.free, found.locked];
  }
}
