import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { PictureForm } from "@/ui/picture-form";
import { UserAvatar } from "../../users/components/user-avatar";
import type { AvatarState } from "../actions";

type Props = Readonly<{
  user: Parameters<typeof UserAvatar>[0]["user"];
  upload: (before: AvatarState, form: FormData) => Promise<AvatarState>;
  remove: () => Promise<void>;
}>;

/** The form that uploads or removes the avatar of the signed-in user. */
export const AvatarForm = ({ user, upload, remove }: Props) => (
  <Card
    id="section-avatar"
    title="Avatar"
    about="Other people see this picture next to your name, and applications that may read your profile receive the picture."
  >
    <div className="flex flex-wrap items-start gap-4">
      <UserAvatar user={user} size="huge" />
      <PictureForm id="avatar" action={upload} held={null}>
        {user.avatarDigest === null ? null : (
          <Confirm
            id="remove-avatar"
            size="small"
            summary="Remove avatar"
            title="Remove the avatar?"
            question="Your initials are shown instead."
          >
            <Button kind="danger" formAction={remove} formNoValidate>
              Remove the avatar
            </Button>
          </Confirm>
        )}
      </PictureForm>
    </div>
  </Card>
);
