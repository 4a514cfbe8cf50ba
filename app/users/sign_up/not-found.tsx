import { ButtonLink } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";

export default function SignUpClosed() {
  return (
    <DecisionCard title="Accounts are made by administrators">
      <p className="text-center text-muted">
        Nobody can register here by themselves. Ask an administrator of this server for an account.
      </p>
      <ButtonLink href="/users/sign_in">Sign in</ButtonLink>
    </DecisionCard>
  );
}
