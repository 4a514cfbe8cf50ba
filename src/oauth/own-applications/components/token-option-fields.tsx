import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { SelectField } from "@/ui/field";
import { DEFAULT_TOKEN_OPTIONS, type TokenOptions } from "../../applications/token-options";
import { ALGORITHM_LABELS, SIGNING_ALGORITHMS } from "../../signing-keys/rules";

/** Shows the fields for the tokens that an application receives. */
export function TokenOptionFields({ options = DEFAULT_TOKEN_OPTIONS }: Readonly<{ options?: TokenOptions }>) {
  return (
    <>
      <ChoiceGroup
        id="access-token-format"
        legend="Access tokens"
        hint="A change applies to tokens that are issued later."
      >
        <ChoiceRow
          id="access-token-opaque"
          type="radio"
          name="access_token_format"
          value="opaque"
          defaultChecked={options.accessTokenFormat === "opaque"}
          label="Random text"
          detail="A resource server asks this server about each token. Most applications use this format."
        />
        <ChoiceRow
          id="access-token-jwt"
          type="radio"
          name="access_token_format"
          value="jwt"
          defaultChecked={options.accessTokenFormat === "jwt"}
          label="Signed (JWT)"
          detail="A resource server verifies the signature without a request to this server. The lifetime is at most 10 minutes, because a resource server does not notice a revocation."
        />
      </ChoiceGroup>
      <SelectField
        id="id-token-algorithm"
        name="id_token_algorithm"
        label="Signature of ID tokens and signed access tokens"
        hint="Every OpenID Connect client supports RS256."
        defaultValue={options.idTokenAlgorithm}
      >
        {SIGNING_ALGORITHMS.map((algorithm) => (
          <option key={algorithm} value={algorithm}>
            {ALGORITHM_LABELS[algorithm]}
          </option>
        ))}
      </SelectField>
    </>
  );
}
