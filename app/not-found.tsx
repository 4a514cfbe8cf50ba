import { ButtonLink } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";

export default function NotFound() {
  return (
    <DecisionCard title="There is no such page">
      <p className="text-center text-muted">It may have been removed, or it is not yours to see.</p>
      <ButtonLink href="/">Go to the start</ButtonLink>
    </DecisionCard>
  );
}
