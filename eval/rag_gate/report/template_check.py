"""Look at templates of the user's own before anything is measured: a typo must not wait for the day it matters."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields

from jinja2 import Environment, meta, nodes

from rag_gate.errors import ConfigError
from rag_gate.report.environment import PREFIX, environment_of, names, source_of
from rag_gate.report.model import CommentView
from rag_gate.report.render import TEMPLATE, render_comment
from rag_gate.report.sample import sample_view
from rag_gate.report.template_errors import explained, unknown
from rag_gate.report.templates import OwnTemplates
from rag_gate.report.words import IN_ENGLISH

Trees = Mapping[str, nodes.Template]
#: What a template can name: the view, our words, and what an including template sets.
_VARIABLES = ("view", "t", "cases", "detail")
_FIELDS = [field.name for field in fields(CommentView)]


def check_templates(own: OwnTemplates) -> None:
    """Refuse templates with a mistake, wherever in them it stands.

    Names of templates, blocks, variables, words and fields of the view are compared with what there is; then
    each template is rendered with a view that holds one row of everything.

    Raises:
        ConfigError: one line per mistake, with file and line.
    """
    environment = environment_of(own)
    trees = {
        name: _shipped(name, environment) for name in (*names(), *(f"{PREFIX}{name}" for name in names()))
    }
    trees.update(_parsed(own, environment))
    problems = [*_unused(own, trees), *(line for name in own.sources for line in _mistakes(own, name, trees))]
    if problems:
        raise ConfigError.of(problems)
    for language in ("en", "ja"):
        render_comment(sample_view(language), own)


def _shipped(name: str, environment: Environment) -> nodes.Template:
    source, path, _ = source_of(name.removeprefix(PREFIX))
    return environment.parse(source, name, path)


def _parsed(own: OwnTemplates, environment: Environment) -> Iterator[tuple[str, nodes.Template]]:
    for name, source in own.sources.items():
        with explained(own):
            environment.compile(source, name, own.path_of(name))  # knows the filters, too
            yield name, environment.parse(source, name, own.path_of(name))


def _unused(own: OwnTemplates, trees: Trees) -> Iterator[str]:
    """Name the files that take no shipped template's place and that nobody includes."""
    used = {name for mine in own.sources for name in meta.find_referenced_templates(trees[mine])}
    for name in own.sources.keys() - names() - used:
        yield unknown(own.path_of(name), "template", name, sorted(names()))


def _mistakes(own: OwnTemplates, name: str, trees: Trees) -> Iterator[str]:
    tree, path = trees[name], own.path_of(name)
    for variable in sorted(meta.find_undeclared_variables(tree) - set(_VARIABLES)):
        places = [node.lineno for node in tree.find_all(nodes.Name) if node.name == variable]
        yield unknown(f"{path}:{places[0] if places else 1}", "variable", variable, list(_VARIABLES))
    for attribute in tree.find_all(nodes.Getattr):
        if (
            isinstance(attribute.node, nodes.Name)
            and attribute.node.name == "view"
            and attribute.attr not in _FIELDS
        ):
            yield unknown(f"{path}:{attribute.lineno}", "field of view", attribute.attr, _FIELDS)
    yield from _words(tree, path)
    yield from _references(tree, path, trees.keys())
    yield from _blocks(own, name, trees)


def _words(tree: nodes.Template, path: str) -> Iterator[str]:
    for call in tree.find_all(nodes.Call):
        key = call.args[0].value if call.args and isinstance(call.args[0], nodes.Const) else None
        named = isinstance(call.node, nodes.Name) and call.node.name == "t"
        if named and isinstance(key, str) and not IN_ENGLISH.has(key):
            yield unknown(f"{path}:{call.lineno}", "words", key, list(IN_ENGLISH.keys()))


def _references(tree: nodes.Template, path: str, known: Collection[str]) -> Iterator[str]:
    """Name the templates that are asked for and are not there."""
    for node in tree.find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        asked = getattr(node, "template", None)
        name = asked.value if isinstance(asked, nodes.Const) else None
        if isinstance(name, str) and name not in known and not getattr(node, "ignore_missing", False):
            yield unknown(f"{path}:{node.lineno}", "template", name, sorted(known))


def _blocks(own: OwnTemplates, name: str, trees: Trees) -> Iterator[str]:
    """Name the blocks that no template up the line has: they would never be written."""
    blocks = list(trees[name].find_all(nodes.Block))
    inner = {block.name for outer in blocks for block in outer.find_all(nodes.Block)}
    known = {block for parent in _parents(name, trees) for block in _names_of_blocks(trees[parent])}
    for block in blocks if known else ():
        if block.name not in known | inner:
            yield unknown(f"{own.path_of(name)}:{block.lineno}", "block", block.name, sorted(known))


def _parents(name: str, trees: Trees) -> list[str]:
    """Return what a template extends, and what that extends.

    Raises:
        ConfigError: if that comes back to where it began.
    """
    found: list[str] = []
    while (parent := _extended(trees[name])) in trees:
        if parent in found:
            raise ConfigError(f"report.templates: '{parent}' extends itself; extend {PREFIX}{TEMPLATE}")
        found.append(parent)
        name = parent
    return found


def _extended(tree: nodes.Template) -> str:
    parents = (node.template for node in tree.find_all(nodes.Extends))
    return next((str(parent.value) for parent in parents if isinstance(parent, nodes.Const)), "")


def _names_of_blocks(tree: nodes.Template) -> set[str]:
    return {block.name for block in tree.find_all(nodes.Block)}
