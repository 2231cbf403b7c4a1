/** Coins that go out: what is asked for, and what became of it. */
import { Pane } from "../../pages/pane.tsx";
import { customerWithdrawals as words } from "../../words/words.ts";
import { chosenOf, networkOf, useCoins } from "../coins.ts";
import type { Desk } from "../desk.ts";
import { CoinChoice } from "../draw/coin-choice.tsx";
import type { Network } from "../wire/exchange.ts";
import { WithdrawForm } from "./withdraw-form.tsx";
import { Withdrawals } from "./withdrawals.tsx";

const isOpen = ({ withdrawEnable }: Network): boolean => withdrawEnable;

export function WithdrawPage({ desk }: { desk: Desk }) {
  const { asked } = desk.place.value;
  const coins = useCoins(desk);
  const coin = chosenOf(coins.value ?? [], asked["coin"] ?? "", isOpen);
  const network = networkOf(coin, asked["network"] ?? "");
  return (
    <>
      <Pane title={words.title} denied={coins.denied}>
        <CoinChoice page="withdraw" coins={coins.value ?? []} coin={coin} network={network} words={words} />
        {coin !== undefined && network === undefined && <p class="padded warned">{words.noNetwork(coin.coin)}</p>}
        {coin !== undefined && network !== undefined && (
          <WithdrawForm key={`${coin.coin} ${network.network}`} desk={desk} coin={coin} network={network} />
        )}
      </Pane>
      <Withdrawals desk={desk} />
    </>
  );
}
