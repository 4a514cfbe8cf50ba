import { ChoiceGroup } from "@/ui/choice";
import { FormChoice, FormSelect } from "@/ui/form-fields";
import { ALGORITHM_LABELS, SIGNING_ALGORITHMS } from "../../signing-keys/rules";

/** Shows the fields for the tokens that an application receives. */
export function TokenOptionFields() {
  return (
    <>
      <ChoiceGroup
        id="access-token-format"
        legend="Access tokens"
        hint="A change applies only to tokens that are issued after the change."
      >
        <FormChoice
          id="access-token-opaque"
          type="radio"
          name="access_token_format"
          value="opaque"
          label="Random text"
          detail="A resource server introspects each token at this server. Most applications use this format."
        />
        <FormChoice
          id="access-token-jwt"
          type="radio"
          name="access_token_format"
          value="jwt"
          label="Signed (JWT)"
          detail="A resource server verifies the signature without a request to this server. The lifetime is at most 10 minutes, because a resource server does not notice a revocation."
        />
      </ChoiceGroup>
      <FormSelect
        id="id-token-algorithm"
        name="id_token_algorithm"
        label="Signature of ID tokens and signed access tokens"
        hint="Every OpenID Connect client supports RS256."
      >
        {SIGNING_ALGORITHMS.map((algorithm) => (
          <option key={algorithm} value={algorithm}>
            {ALGORITHM_LABELS[algorithm]}
          </option>
        ))}
      </FormSelect>
    </>
  );
}
