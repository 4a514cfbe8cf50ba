import { VISIBILITIES, type Visibility } from "@/access/visibility";
import { Badge } from "@/ui/badge";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";

const WORDS = {
  private: { label: "Private", who: "Its members see it, and nobody else." },
  internal: { label: "Internal", who: "Everybody who can sign in here sees it." },
  public: { label: "Public", who: "Everybody sees it, without signing in." },
} as const satisfies Record<Visibility, Readonly<{ label: string; who: string }>>;

export const VisibilityBadge = ({ visibility }: { readonly visibility: Visibility }) => (
  <Badge>{WORDS[visibility].label}</Badge>
);

/** Who sees something, in a sentence. */
export const VisibilitySentence = ({ visibility }: { readonly visibility: Visibility }) => (
  <>
    {WORDS[visibility].label}. {WORDS[visibility].who}
  </>
);

/** Who shall see it. */
export function VisibilityChoice(props: {
  readonly chosen: Visibility;
  readonly hint?: string;
  readonly problems: readonly string[] | undefined;
}) {
  return (
    <ChoiceGroup id="visibility" legend="Who sees it" hint={props.hint} problems={props.problems}>
      {VISIBILITIES.map((visibility) => (
        <ChoiceRow
          key={visibility}
          id={`visibility-${visibility}`}
          type="radio"
          name="visibility"
          value={visibility}
          defaultChecked={visibility === props.chosen}
          label={WORDS[visibility].label}
          detail={WORDS[visibility].who}
        />
      ))}
    </ChoiceGroup>
  );
}
