"""Look at templates of the user's own before anything is measured: a typo must not wait for the day it matters."""

from collections.abc import Iterator
from dataclasses import fields

from jinja2 import Environment, TemplateSyntaxError, meta, nodes

from rag_gate.errors import ConfigError
from rag_gate.report.environment import PREFIX, environment_of, names
from rag_gate.report.model import CommentView
from rag_gate.report.render import TEMPLATE, render_comment
from rag_gate.report.sample import sample_view
from rag_gate.report.template_errors import explained, unknown
from rag_gate.report.templates import OwnTemplates
from rag_gate.report.words import IN_ENGLISH

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
    trees = dict(_parsed(own, environment))
    problems = [*_unused(own, trees), *(line for name in trees for line in _mistakes(own, name, trees, environment))]
    if problems:
        raise ConfigError.of(problems)
    for language in ("en", "ja"):
        render_comment(sample_view(language), own)


def _parsed(own: OwnTemplates, environment: Environment) -> Iterator[tuple[str, nodes.Template]]:
    for name, source in own.sources.items():
        with explained(own):
            environment.compile(source, name, own.path_of(name))  # knows the filters, too
            yield name, environment.parse(source, name, own.path_of(name))


def _unused(own: OwnTemplates, trees: dict[str, nodes.Template]) -> Iterator[str]:
    """Name the files that take no shipped template's place and that nobody includes."""
    used = {name for tree in trees.values() for name in meta.find_referenced_templates(tree)}
    for name in own.sources.keys() - names() - used:
        yield unknown(own.path_of(name), "template", name, sorted(names()))


def _mistakes(
    own: OwnTemplates, name: str, trees: dict[str, nodes.Template], environment: Environment
) -> Iterator[str]:
    tree, path = trees[name], own.path_of(name)
    for variable in sorted(meta.find_undeclared_variables(tree) - set(_VARIABLES)):
        places = [node.lineno for node in tree.find_all(nodes.Name) if node.name == variable]
        yield unknown(f"{path}:{places[0] if places else 1}", "variable", variable, list(_VARIABLES))
    for attribute in tree.find_all(nodes.Getattr):
        if isinstance(attribute.node, nodes.Name) and attribute.node.name == "view" and attribute.attr not in _FIELDS:
            yield unknown(f"{path}:{attribute.lineno}", "field of view", attribute.attr, _FIELDS)
    yield from _words(tree, path)
    yield from _blocks(own, name, trees, environment)


def _words(tree: nodes.Template, path: str) -> Iterator[str]:
    for call in tree.find_all(nodes.Call):
        key = call.args[0].value if call.args and isinstance(call.args[0], nodes.Const) else None
        named = isinstance(call.node, nodes.Name) and call.node.name == "t"
        if named and isinstance(key, str) and not IN_ENGLISH.has(key):
            yield unknown(f"{path}:{call.lineno}", "words", key, list(IN_ENGLISH.keys()))


def _blocks(
    own: OwnTemplates, name: str, trees: dict[str, nodes.Template], environment: Environment
) -> Iterator[str]:
    """Name the blocks that no template up the line has: they would never be written."""
    parents = [node.template.value for node in trees[name].find_all(nodes.Extends) if isinstance(node.template, nodes.Const)]
    if not parents:
        return
    known = _known_blocks(str(parents[0]), trees, environment, {name})
    inner = {block.name for outer in trees[name].find_all(nodes.Block) for block in outer.find_all(nodes.Block)}
    for block in trees[name].find_all(nodes.Block):
        if block.name not in known | inner:
            yield unknown(f"{own.path_of(name)}:{block.lineno}", "block", block.name, sorted(known))


def _known_blocks(
    name: str, trees: dict[str, nodes.Template], environment: Environment, seen: set[str]
) -> set[str]:
    if name in seen:
        raise ConfigError(f"report.templates: '{name}' extends itself; extend {PREFIX}{TEMPLATE}")
    tree = trees.get(name)
    if tree is None:
        try:
            source, path, _ = environment.loader.get_source(environment, name) if environment.loader else ("", "", None)
            tree = environment.parse(source, name, path)
        except TemplateSyntaxError:
            return set()
    blocks = {block.name for block in tree.find_all(nodes.Block)}
    for node in tree.find_all(nodes.Extends):
        if isinstance(node.template, nodes.Const):
            blocks |= _known_blocks(str(node.template.value), trees, environment, seen | {name})
    return blocks
