# mypy: ignore-errors
"""The kinds of text that are no prose: code, markup, data and what tools print, and where each comes from."""

from collections.abc import Iterator

import extract
from kinds import Row

PLAIN = extract.plain

CODE = """
code-python pypi-sympy sympy/**/*.py
code-python pypi-sqlalchemy sqlalchemy/**/*.py
code-python pypi-ansible-core ansible/**/*.py
code-python debian-libpython3.11-stdlib **/*.py
code-python pypi-source-fastapi **/*.py
code-python pypi-statsmodels statsmodels/**/*.py
code-python-tests pypi-scikit-learn sklearn/**/test_*.py
code-python-tests pypi-source-flask **/test_*.py
code-python-tests pypi-statsmodels **/test_*.py
code-javascript npm-lodash package/*.js
code-javascript npm-react-dom package/cjs/*.development.js
code-javascript npm-three package/src/**/*.js
code-javascript npm-eslint package/lib/**/*.js
code-javascript npm-express package/lib/**/*.js
code-javascript npm-webpack package/lib/**/*.js
code-typescript npm-types-node *node/*.d.ts
code-typescript npm-rxjs package/src/**/*.ts
code-typescript npm-typescript package/lib/lib.*.d.ts
code-typescript npm-vue package/**/*.d.ts
code-typescript npm-date-fns package/**/*.d.ts
code-typescript npm-angular-core package/**/*.d.ts
code-svelte npm-svelte package/src/**/*.js
code-rust crates-regex-syntax regex-syntax*/src/**/*.rs
code-rust crates-itertools itertools*/src/**/*.rs
code-rust crates-hashbrown hashbrown*/src/**/*.rs
code-rust crates-clap_builder clap_builder*/src/**/*.rs
code-rust crates-nom nom*/src/**/*.rs
code-go debian-golang-github-spf13-cobra-dev **/*.go
code-go debian-golang-github-stretchr-testify-dev **/*.go
code-go debian-golang-golang-x-tools-dev **/*.go
code-go debian-golang-golang-x-net-dev **/*.go
code-c-header debian-linux-libc-dev **/*.h
code-c-header debian-libssl-dev **/*.h
code-c-header debian-libglib2.0-dev **/*.h
code-c-header debian-libsqlite3-dev **/*.h
code-c npm-better-sqlite3 **/*.c
code-c npm-lmdb **/*.c
code-c npm-leveldown **/*.c
code-c npm-better-sqlite3 **/*.c
code-c-tables npm-tree-sitter-python **/parser.c
code-cpp debian-libeigen3-dev **/*.h
code-cpp debian-nlohmann-json3-dev **/*.hpp
code-cpp debian-catch2 **/*.hpp
code-cpp npm-leveldown **/*.cc
code-cpp npm-re2 **/*.cc
code-cpp npm-react-native package/ReactCommon/**/*.cpp
code-java maven-org.apache.commons-commons-lang3 **/*.java
code-java maven-com.google.guava-guava **/*.java
code-java npm-cordova-android package/framework/src/**/*.java
code-java npm-react-native package/ReactAndroid/**/*.java
code-kotlin maven-com.squareup.okhttp3-okhttp **/*.kt
code-kotlin maven-org.jetbrains.kotlinx-kotlinx-coroutines-core-jvm **/*.kt
code-kotlin npm-react-native package/ReactAndroid/**/*.kt
code-scala maven-org.scala-lang-scala-library **/*.scala
code-scala maven-org.typelevel-cats-core_2.13 **/*.scala
code-clojure maven-org.clojure-clojure **/*.clj
code-objective-c npm-react-native package/**/*.m*
code-csharp pypi-source-pythonnet **/*.cs
code-php debian-php-symfony-console **/*.php
code-php debian-php-twig **/*.php
code-ruby debian-ruby-rack **/*.rb
code-ruby debian-ruby-activesupport **/*.rb
code-ruby debian-ruby-sinatra **/*.rb
code-perl debian-libmojolicious-perl **/*.p[ml]
code-perl debian-perl-modules-5.36 **/*.pm
code-shell debian-bash-completion usr/share/bash-completion/**/*
code-shell debian-git-doc **/*.sh
code-shell debian-zsh-common **/functions/**/*
code-shell pypi-ansible-core **/*.sh
code-lisp debian-elpa-magit **/*.el
code-lisp debian-elpa-markdown-mode **/*.el
code-lisp debian-cl-alexandria **/*.lisp
code-m4 debian-autoconf **/*.m4
code-matlab debian-octave-common **/*.m
code-vim debian-vim-runtime **/*.vim
"""

MARKUP = """
markdown npm-eslint package/**/*.md
markdown npm-express package/**/*.md
markdown npm-webpack package/**/*.md
markdown npm-mermaid package/**/*.md
markdown npm-react-native package/**/*.md
markdown npm-three package/**/*.md
markdown pypi-source-fastapi **/*.md
markdown pypi-source-rich **/*.md
markdown crates-clap_builder */*.md
markdown crates-itertools */*.md
markdown crates-nom */*.md
markdown pypi-kubernetes **/*.md
markdown debian-nodejs-doc **/*.md*
restructured-text pypi-source-flask **/*.rst
restructured-text pypi-source-rich **/*.rst
restructured-text pypi-django **/*.txt
"""

JSON_SOURCES = {
    "pypi-litellm": ("litellm/model_prices*.json",),
    "pypi-botocore": ("botocore/data/**/*-1.json",),
    "npm-vega-datasets": ("package/data/*.json",),
    "debian-iso-codes": ("usr/share/iso-codes/json/*.json",),
    "npm-eslint": ("package/conf/*.json", "package/package.json"),
    "pypi-ansible-core": ("**/*.json",),
    "npm-webpack": ("package/schemas/**/*.json",),
    "debian-nodejs-doc": ("**/*.json*",),
}
JSON_FORMS = {
    "json-pretty": extract.indented,
    "json-compact": extract.compact,
    "json-spaced": extract.spaced,
    "json-in-json": extract.nested,
    "json-escaped": extract.escaped,
}

DATA = """
html-raw debian-debian-handbook **/html/en-US/*.html
html-raw debian-debian-policy usr/**/*.html
html-raw debian-installation-guide-amd64 **/installation-guide-amd64/en/*.html
html-raw debian-nodejs-doc **/*.html
html-raw debian-libreoffice-help-tr usr/**/*.html
html-raw debian-developers-reference-ja usr/**/*.html
xml debian-shared-mime-info **/*.xml
xml debian-gnome-user-docs usr/share/help/C/*/*.page
xml debian-docbook-xsl **/*.xsl
xml debian-iso-codes **/*.xml
svg debian-adwaita-icon-theme **/*.svg
svg debian-gnome-user-docs usr/share/help/C/**/*.svg
css npm-bootstrap package/dist/css/bootstrap.css
css npm-bulma package/css/bulma.css
css npm-highlight.js package/styles/*.css
css npm-normalize.css package/*.css
css debian-debian-policy **/*.css
scss npm-bootstrap package/scss/**/*.scss
scss npm-bulma package/sass/**/*.scss
css-minified npm-bootstrap package/dist/css/*.min.css
css-minified npm-bulma package/css/*.min.css
css-minified npm-highlight.js package/styles/*.min.css
javascript-minified npm-jquery package/dist/jquery.min.js
javascript-minified npm-react-dom package/umd/*.production.min.js
javascript-minified npm-vue package/dist/*.prod.js
javascript-minified npm-bootstrap package/dist/js/*.min.js
javascript-minified npm-mermaid package/dist/mermaid.min.js
javascript-minified npm-three package/build/three.module.min.js
yaml pypi-ansible-core **/*.y*ml
yaml pypi-source-fastapi **/*.y*ml
toml crates-regex-syntax */Cargo.toml
toml crates-clap_builder */Cargo.toml
toml crates-itertools */Cargo.toml
toml crates-nom */Cargo.toml
toml crates-hashbrown */Cargo.toml
toml pypi-source-fastapi **/*.toml
toml pypi-source-rich **/*.toml
csv npm-vega-datasets package/data/*.csv
csv pypi-statsmodels **/*.csv
csv pypi-scikit-learn **/*.csv
geo-json npm-world-atlas package/*.json
tables debian-unicode-data **/UnicodeData.txt
tables debian-tzdata **/zone*.tab
tables debian-tzdata **/tzdata.zi
names pypi-faker faker/providers/person/**/*.py
names pypi-faker faker/providers/address/**/*.py
emoji debian-unicode-data **/emoji-test.txt
roff debian-manpages-dev usr/share/man/man*/*.gz
roff debian-manpages usr/share/man/man*/*.gz
roff debian-manpages-fr usr/share/man/**/*.gz
roff debian-git-doc **/*.gz
changelog debian-git-doc **/changelog*.gz
changelog debian-linux-libc-dev **/changelog*.gz
changelog debian-vim-runtime **/changelog*.gz
changelog debian-gimp-data **/changelog*.gz
po-file pypi-django **/locale/[a-m]*/LC_MESSAGES/*.po
help debian-vim-runtime **/doc/*.txt
"""

AGAIN = """
upper-case prose debian-doc-debian usr/share/doc/**/*.txt*
upper-case code pypi-sympy sympy/**/*.py
upper-case code npm-eslint package/lib/**/*.js
upper-case prose debian-fortunes usr/share/games/fortunes/*
"""

SHOWN = """
pypi-sympy sympy/**/*.py
npm-eslint package/lib/**/*.js
crates-regex-syntax */src/**/*.rs
debian-golang-golang-x-net-dev **/*.go
debian-ruby-sinatra **/*.rb
pypi-source-fastapi **/*.md
npm-bootstrap package/scss/**/*.scss
"""


CAPITALS = {
    "debian-debian-handbook": "**/html/{}/*.html",
    "debian-installation-guide-amd64": "**/installation-guide-amd64/{}/*.html",
    "debian-gnome-user-docs": "usr/share/help/{}/*/*.page",
}
LANGUAGES_IN_CAPITALS = {
    "debian-debian-handbook": ("fr-FR", "pl-PL", "ru-RU"),
    "debian-installation-guide-amd64": ("de", "es", "el"),
    "debian-gnome-user-docs": ("tr", "hu", "sv"),
}
ESCAPED = {
    "debian-installation-guide-amd64": ("zh_CN", "ja", "ru", "fr", "ko"),
    "debian-debian-handbook": ("zh-CN", "ja-JP", "ru-RU", "el-GR", "fa-IR"),
}


def lines_of(block: str) -> Iterator[list[str]]:
    """The words of each line."""
    return (line.split() for line in block.strip().split("\n"))


def other_kinds() -> Iterator[Row]:
    """Code, markup, data, and the same as tools show it."""
    for group, block in (("code", CODE), ("markdown", MARKUP), ("data", DATA)):
        for kind, package, pattern in lines_of(block):
            yield Row(kind, group, package, (pattern,), PLAIN)
    for kind, how in JSON_FORMS.items():
        for package, patterns in JSON_SOURCES.items():
            yield Row(kind, "json", package, patterns, how)
    yield from changed()


def changed() -> Iterator[Row]:
    """Texts in another dress: in capitals, numbered, as a tool's result, escaped."""
    for kind, _, package, pattern in lines_of(AGAIN):
        yield Row(kind, "data", package, (pattern,), extract.upper)
    for package, pattern in CAPITALS.items():
        for language in LANGUAGES_IN_CAPITALS[package]:
            yield Row(f"upper-case-{language[:2]}", "data", package, (pattern.format(language),), extract.upper_markup)
    yield Row("people", "data", "pypi-faker", ("faker/providers/person/*_*/__init__.py",), extract.people)
    for package, pattern in lines_of(SHOWN):
        yield Row("read-result", "code", package, (pattern,), extract.numbered)
        yield Row("session-line", "json", package, (pattern,), extract.as_result)
    for package, languages in ESCAPED.items():
        for language in languages:
            yield Row("prose-escaped", "data", package, (CAPITALS[package].format(language),), extract.escaped_text)
