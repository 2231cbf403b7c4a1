/** One press of a button that is done at once: what came of it is a notice. */
import { refusalOf } from "../../pages/denied.ts";
import type { Desk } from "../desk.ts";

/** `good` is said when it is done. */
export function useAct(desk: Desk): (good: string, run: () => Promise<unknown>) => void {
  // Never rejects.
  const act = async (good: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
      desk.say("good", good);
    } catch (error) {
      desk.say("bad", refusalOf(error));
    }
    desk.done.value++;
  };
  return (good, run) => void act(good, run);
}
