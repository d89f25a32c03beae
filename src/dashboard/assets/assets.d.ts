// A file imported with `type: "text"` is its text; one imported with `type: "file"` is its path.

declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*/duka.js" {
  const text: string;
  export default text;
}

declare module "*/passkey.js" {
  const text: string;
  export default text;
}

declare module "*/sw.js" {
  const text: string;
  export default text;
}

declare module "*.png" {
  const path: string;
  export default path;
}

declare module "*.woff2" {
  const path: string;
  export default path;
}
