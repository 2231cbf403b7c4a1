/** One press of a button that is done at once: what came of it is a notice. */
import { deniedOf } from "../../pages/denied.ts";
import { customerSays as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";

/** `good` is said when it is done. */
export function useAct(desk: Desk): (good: string, run: () => Promise<unknown>) => void {
  // Never rejects.
  const act = async (good: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
      desk.say("good", good);
    } catch (error) {
      const { message, code } = deniedOf(error);
      desk.say("bad", words.refused(message, code));
    }
    desk.done.value++;
  };
  return (good, run) => void act(good, run);
}
