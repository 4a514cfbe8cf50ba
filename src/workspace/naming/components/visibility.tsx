import { VISIBILITIES, type Visibility } from "@/access/visibility";
import { Badge } from "@/ui/badge";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";

const LABELS = {
  private: { label: "Private", description: "Only members have access." },
  internal: { label: "Internal", description: "All signed-in users have access." },
  public: { label: "Public", description: "Everyone has access without signing in." },
} as const satisfies Record<Visibility, Readonly<{ label: string; description: string }>>;

export const VisibilityBadge = ({ visibility }: { readonly visibility: Visibility }) => (
  <Badge>{LABELS[visibility].label}</Badge>
);

/** The visibility of a project or a group, and a sentence that explains it. */
export const VisibilitySentence = ({ visibility }: { readonly visibility: Visibility }) => (
  <>
    {LABELS[visibility].label}. {LABELS[visibility].description}
  </>
);

/** The radio buttons for the visibility of a project or a group. */
export function VisibilityChoice(props: {
  readonly chosen: Visibility;
  readonly hint?: string;
  readonly problems: readonly string[] | undefined;
}) {
  return (
    <ChoiceGroup id="visibility" legend="Visibility" hint={props.hint} problems={props.problems}>
      {VISIBILITIES.map((visibility) => (
        <ChoiceRow
          key={visibility}
          id={`visibility-${visibility}`}
          type="radio"
          name="visibility"
          value={visibility}
          defaultChecked={visibility === props.chosen}
          label={LABELS[visibility].label}
          detail={LABELS[visibility].description}
        />
      ))}
    </ChoiceGroup>
  );
}
