import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";

/** Stands in the frame of a page that is not there. */
export const NoSuchPage = () => (
  <>
    <PageHead title="There is no such page" about="It may have been removed, or it is not yours to see." />
    <div>
      <ButtonLink href="/">Go to the start</ButtonLink>
    </div>
  </>
);
