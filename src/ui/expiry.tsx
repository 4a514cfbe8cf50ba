import { Until } from "./time";

/**
 * Shows when an object, such as a token, expires or has expired.
 * @param props.at the time of the expiry; null for an object that never expires.
 */
export function Expiry({ at, now }: { readonly at: Date | null; readonly now: Date }) {
  if (at === null) return "never expires";
  if (at > now)
    return (
      <>
        expires <Until at={at} now={now} />
      </>
    );
  return (
    <strong className="text-danger">
      expired <Until at={at} now={now} />
    </strong>
  );
}
