/**
 * The wallet of a test venue: its networks accept every address but the word "nowhere", and tags of digits.
 * DOWN never answers.
 */
import type { Command, DepositAddress, EngineView } from "@pricetime/engine";
import { ChainUnreachable, type NetworkStatus, NoSuchNetwork, type Wallet } from "@pricetime/server/parts";

const NETWORKS = ["BTC", "ETH", "XRP"];

export class VenueWallet implements Wallet {
  readonly #engine: EngineView;
  readonly #apply: (command: Command) => unknown;

  constructor(engine: EngineView, apply: (command: Command) => unknown) {
    this.#engine = engine;
    this.#apply = apply;
  }

  networks(): readonly NetworkStatus[] {
    return NETWORKS.map((network) => ({
      network,
      kind: "manual",
      isUp: true,
      height: 0,
      readHeight: 0,
      trouble: "",
    }));
  }

  isAddress(network: string, address: string, tag: string): boolean {
    return NETWORKS.includes(network) && address !== "nowhere" && /^[0-9]*$/.test(tag);
  }

  depthOf(): undefined {
    return undefined;
  }

  async depositAddress(accountId: number, network: string): Promise<DepositAddress> {
    if (network === "DOWN") throw new ChainUnreachable("DOWN does not answer");
    if (!NETWORKS.includes(network)) throw new NoSuchNetwork(network);
    const known = this.#engine.funds.depositAddress(accountId, network);
    if (known !== undefined) return known;
    const isTagged = network === "XRP";
    const address = isTagged ? "shared" : `${network}-${accountId}`;
    const tag = isTagged ? String(accountId) : "";
    this.#apply({ type: "assignDepositAddress", accountId, network, address, tag });
    return { accountId, network, address, tag };
  }
}
