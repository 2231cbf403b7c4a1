/** How far the proof of work of a sign-in is. */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MACHINE } from "../wire/world.ts";
import { pagesSay as words } from "../words/words.ts";
import { SignInWorker } from "./sign-in-work.ts";

/** "": there is nothing to do. */
export function useSignInWorker(): { readonly worker: SignInWorker; readonly progress: Signal<string> } {
  const progress = useSignal("");
  const worker = useRef<SignInWorker>(null);
  worker.current ??= new SignInWorker(MACHINE, (done, of) => {
    progress.value = of === 0 ? "" : words.working(done, of);
  });
  return { worker: worker.current, progress };
}

export function WorkShown({ progress }: { progress: Signal<string> }) {
  return (
    <p class="muted" role="status">
      {progress.value}
    </p>
  );
}
