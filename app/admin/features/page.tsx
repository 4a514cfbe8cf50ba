import type { Metadata } from "next";
import { switchFlag } from "@/operations/flags/actions";
import { FlagList } from "@/operations/flags/components/flag-list";
import { loadFlags } from "@/operations/flags/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Feature flags" };

export default async function FeatureFlagsPage() {
  const { flags, now } = await loadFlags();
  return (
    <>
      <PageHead
        title="Feature flags"
        about="Features that are not for every instance. A switch holds for everybody, from the next request on."
      />
      <FlagList flags={flags} action={switchFlag} now={now} />
    </>
  );
}
