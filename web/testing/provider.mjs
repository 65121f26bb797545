// A certified OpenID provider for the tests of signing in: it knows whoever it is told of, and answers wrongly when it
// is told to. Usage: node provider.mjs ADDRESS-TO-COME-BACK-TO...
import { createHmac, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";

const CLIENT = { id: "heartrule", secret: "a secret that only the two of them know" };
const back = process.argv.slice(2);
const people = {};
let wrong = "";
let keys = [newKey()];
let former = keys[0];
let kept = "";

function newKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { key: privateKey, kid: randomUUID() };
}

function jwks() {
  return { keys: keys.map(({ key, kid }) => ({ ...key.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" })) };
}

const coded = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const claimsOf = (token) => JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());

function signed(claims, { key, kid }) {
  const content = `${coded({ alg: "RS256", typ: "JWT", kid })}.${coded(claims)}`;
  return `${content}.${sign("RSA-SHA256", Buffer.from(content), key).toString("base64url")}`;
}

const WRONG = {
  expired: (claims) => signed({ ...claims, iat: claims.iat - 7200, exp: claims.iat - 3600 }, keys[0]),
  audience: (claims) => signed({ ...claims, aud: "somebody else" }, keys[0]),
  issuer: (claims) => signed({ ...claims, iss: "https://elsewhere.example" }, keys[0]),
  nonce: ({ nonce, ...claims }) => signed(claims, keys[0]),
  unsigned: (claims) => `${coded({ alg: "none" })}.${coded(claims)}.`,
  secret: (claims) => {
    const content = `${coded({ alg: "HS256" })}.${coded(claims)}`;
    return `${content}.${createHmac("sha256", CLIENT.secret).update(content).digest("base64url")}`;
  },
  stranger: (claims) => signed(claims, { ...newKey(), kid: keys[0].kid }),
  withdrawn: (claims) => signed(claims, former),
  changed: (claims, token) =>
    [token.split(".")[0], coded({ ...claims, sub: "mallory" }), token.split(".")[2]].join("."),
  replayed: (_, token) => kept || token,
};

function provider(issuer) {
  const made = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: back,
        post_logout_redirect_uris: back,
      },
    ],
    jwks: jwks(),
    cookies: { keys: ["of the tests"] },
    claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email"], groups: ["groups"] },
    scopes: ["openid", "profile", "email", "groups"],
    pkce: { required: () => true },
    findAccount: (_, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client.clientId,
        accountId: ctx.oidc.session.accountId,
      });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
  made.use(async (ctx, next) => {
    await next();
    const token = ctx.body?.id_token;
    if (ctx.oidc?.route !== "token" || !token) return;
    if (wrong) ctx.body.id_token = WRONG[wrong](claimsOf(token), token);
    kept = token;
  });
  return made.callback();
}

let answer;
const server = createServer((request, response) => {
  if (request.url !== "/tests") return answer(request, response);
  let body = "";
  request.on("data", (part) => {
    body += part;
  });
  request.on("end", () => {
    const told = JSON.parse(body);
    Object.assign(people, told.people);
    if (told.wrong !== undefined) wrong = told.wrong;
    back.push(...(told.back ?? []));
    if (told.rotate) [former, keys] = [keys[0], [newKey()]];
    if (told.rotate || told.back) answer = provider(issuer());
    response.end("{}");
  });
});
const issuer = () => `http://127.0.0.1:${server.address().port}`;
server.listen(0, "127.0.0.1", () => {
  answer = provider(issuer());
  process.stdout.write(`${JSON.stringify({ issuer: issuer(), client: CLIENT })}\n`);
});
