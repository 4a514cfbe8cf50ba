"use client";

import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";

export default function ErrorPage({ reset }: { readonly reset: () => void }) {
  return (
    <DecisionCard title="This page could not be displayed">
      <p className="text-center text-muted">
        Nothing was changed. Try again. If the error persists, contact the administrator.
      </p>
      <Button type="button" onClick={reset}>
        Try again
      </Button>
    </DecisionCard>
  );
}
