/** A long text of somebody else, such as an address: whole for whoever selects it, cut where it has no room. */
export function Long({ text }: { text: string }) {
  return (
    <code class="address" title={text}>
      {text}
    </code>
  );
}
