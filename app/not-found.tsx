import { ButtonLink } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";

export default function NotFound() {
  return (
    <DecisionCard title="Page not found">
      <p className="text-center text-muted">The page does not exist, or you do not have access to it.</p>
      <ButtonLink href="/">Go to the home page</ButtonLink>
    </DecisionCard>
  );
}
