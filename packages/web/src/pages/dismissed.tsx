/** Why somebody who was signed in is so no longer, on the form by which one signs in again. */
export function Dismissed({ why }: { why: string }) {
  if (why === "") return null;
  return (
    <p class="warned" role="status">
      {why}
    </p>
  );
}
