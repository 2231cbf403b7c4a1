/** A long text of a row: cut off until it is wished for. */
import { useSignal } from "@preact/signals";

export function Details({ text }: { text: string }) {
  const isWhole = useSignal(false);
  if (text === "") return null;
  return (
    <button
      type="button"
      class={`details ${isWhole.value ? "whole" : ""}`}
      aria-expanded={isWhole.value}
      onClick={() => {
        isWhole.value = !isWhole.value;
      }}
    >
      {text}
    </button>
  );
}
