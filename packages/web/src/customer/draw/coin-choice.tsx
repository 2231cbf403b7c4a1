/** Which coin moves, and by which network: the place says both, so a link or a bookmark leads to them. */
import type { Coin, Network } from "../wire/exchange.ts";
import { goTo } from "../place.ts";
import { Choice } from "../../pages/form.tsx";

interface Props {
  readonly page: "deposit" | "withdraw";
  readonly coins: readonly Coin[];
  /** Undefined: there are none. */
  readonly coin: Coin | undefined;
  readonly network: Network | undefined;
  readonly words: { readonly coin: string; readonly network: string; readonly networkHelp: string };
}

export function CoinChoice({ page, coins, coin, network, words }: Props) {
  if (coin === undefined) return null;
  return (
    <div class="padded fields">
      <Choice
        id="coin"
        label={words.coin}
        value={coin.coin}
        options={coins.map(({ coin: id, name }) => [id, name === id ? id : `${id} · ${name}`])}
        onChoose={(id) => goTo(page, { coin: id })}
      />
      <Choice
        id="network"
        label={words.network}
        value={network?.network ?? ""}
        options={coin.networkList.map(({ network: id }) => [id, id])}
        onChoose={(id) => goTo(page, { coin: coin.coin, network: id })}
        help={words.networkHelp}
      />
    </div>
  );
}
