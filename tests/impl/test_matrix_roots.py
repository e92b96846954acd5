import numpy as np
import pytest

from impl.errors import ArgumentError, RangeError
from impl.matrix_roots import MatrixRoots

SINGULAR = [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]


def random_stack(rng, n=4, d=6, rank=4):
    factors = rng.standard_normal((n, d, rank))
    return factors @ np.swapaxes(factors, -1, -2)


def test_roots_of_a_singular_stack():
    rng = np.random.default_rng(1)
    matrices = random_stack(rng)
    roots = MatrixRoots.from_dense(matrices)
    # 1e-12 of the norm: a few dozen roundings of an eigendecomposition.
    scale = roots.lambda_max.max()
    np.testing.assert_allclose(roots.root @ roots.root, matrices, atol=1e-12 * scale)
    np.testing.assert_allclose(roots.root @ roots.pseudo_inverse_root, roots.projector, atol=1e-12)
    np.testing.assert_allclose(roots.projector @ matrices, matrices, atol=1e-12 * scale)
    np.testing.assert_allclose(
        roots.pseudo_inverse_root @ roots.pseudo_inverse_root, np.linalg.pinv(matrices, 1e-10), rtol=1e-8
    )
    assert roots.rank.tolist() == [4, 4, 4, 4]
    assert not roots.full_rank
    np.testing.assert_allclose(roots.lambda_max, np.linalg.norm(matrices, 2, axis=(-1, -2)))
    np.testing.assert_array_equal(roots.diagonal, np.diagonal(matrices, axis1=1, axis2=2))


def test_known_root():
    roots = MatrixRoots.from_dense([[5.0, 4.0], [4.0, 5.0]])  # = [[2, 1], [1, 2]]^2
    np.testing.assert_allclose(roots.root, [[2, 1], [1, 2]], rtol=1e-14)
    np.testing.assert_allclose(roots.pseudo_inverse_root, np.array([[2, -1], [-1, 2]]) / 3, rtol=1e-14)
    assert roots.full_rank


def test_diagonal_equals_dense():
    rng = np.random.default_rng(2)
    diagonals = rng.uniform(0, 3, (3, 5))
    diagonals[1, 2] = diagonals[2, 0] = 0.0
    vectors = rng.standard_normal((7, 3, 5))
    thin = MatrixRoots.of_nodes(diagonals)
    thick = MatrixRoots.of_nodes([np.diag(row) for row in diagonals])
    assert thin.is_diagonal
    assert not thick.is_diagonal
    assert thin.root.shape == (3, 5)
    for method in ("apply_root", "apply_pseudo_inverse_root", "project"):
        np.testing.assert_allclose(
            getattr(thin, method)(vectors), getattr(thick, method)(vectors), rtol=1e-13, atol=1e-14
        )


def test_single_matrix_and_one_dimension():
    assert MatrixRoots.from_dense([[4.0]]).apply_root(np.array([[3.0], [1.0]])).tolist() == [[6.0], [2.0]]
    assert MatrixRoots.of_nodes([[[4.0]]]).apply_pseudo_inverse_root(np.array([[3.0]])).tolist() == [[1.5]]
    assert MatrixRoots.from_diagonals([4.0]).apply_root(np.array([3.0])).tolist() == [6.0]


@pytest.mark.parametrize("lead", [(0,), (2, 0)])
def test_no_matrices(lead):
    for roots in (
        MatrixRoots.from_dense(np.zeros((*lead, 3, 3))),
        MatrixRoots.from_diagonals(np.zeros((*lead, 3))),
    ):
        assert roots.rank.shape == roots.lambda_max.shape == lead
        assert roots.apply_root(np.zeros((4, *lead, 3))).shape == (4, *lead, 3)


def test_zero_matrix_has_empty_range():
    for roots in (MatrixRoots.of_nodes(np.zeros((1, 2, 2))), MatrixRoots.of_nodes(np.zeros((1, 2)))):
        assert roots.rank.tolist() == [0]
        assert not roots.apply_pseudo_inverse_root(np.ones((1, 2))).any()
        with pytest.raises(RangeError):
            roots.check_range(np.ones((1, 2)), np.zeros(2))


def test_a_diagonal_may_be_negative_by_rounding_of_its_largest_entry():
    roots = MatrixRoots.from_diagonals([4.0, -1e-15, 0.0])
    assert roots.rank == 1
    np.testing.assert_array_equal(roots.root, [2.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("matrices", "words"),
    [
        ([[[1.0, 0.5], [0.0, 1.0]]], ["matrix 0", "not symmetric", "(M + M^T) / 2"]),
        ([np.eye(2), [[1.0, 2.0], [2.0, 1.0]]], ["matrix 1", "indefinite", "-1"]),
        ([[[1.0, np.nan], [np.nan, 1.0]]], ["(0, 0, 1)", "nan", "finite"]),
        ([[1.0, -1.0]], ["matrix 0", "indefinite"]),
        ([[1.0, np.inf]], ["(0, 1)", "inf"]),
        ([[[1.0, 0.0]]], ["(1, 1, 2)", "(..., d, d)"]),
        ([1.0, 2.0], ["(n, d, d)", "(n, d) if diagonal"]),
        ([[1.0], [1.0, 2.0]], ["one shape"]),
    ],
)
def test_mistakes_are_named(matrices, words):
    with pytest.raises(ArgumentError) as error:
        MatrixRoots.of_nodes(matrices)
    for word in words:
        assert word in str(error.value)


def test_wrong_vector_shape():
    with pytest.raises(ArgumentError, match=r"\(2, 3\)"):
        MatrixRoots.of_nodes(np.ones((2, 3))).apply_root(np.ones((3, 2)))


class TestRange:
    def test_names_node_and_both_numbers(self):
        roots = MatrixRoots.of_nodes([np.eye(3).tolist(), SINGULAR])
        gradient = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 0.25]])
        with pytest.raises(RangeError) as error:
            roots.check_range(gradient, np.zeros(3))
        assert issubclass(RangeError, ArgumentError)
        for word in ("node 1", "= 0.25 ", f"{1e-6 * np.sqrt(2 + 0.0625):.6g}", "squant/range", "ridge"):
            assert word in str(error.value)

    def test_absolute_part_saves_gradients_at_rounding_level(self):
        roots = MatrixRoots.of_nodes([SINGULAR])
        noise = np.array([[0.0, 0.0, 1e-13]])
        # d eps lambda_max ||z|| = 3 * 2.2e-16 * 2 * ||z||, 1.3e-12 at ||z|| = 1e3.
        roots.check_range(noise, np.array([1e3, 0.0, 0.0]))
        with pytest.raises(RangeError):
            roots.check_range(noise, np.array([1.0, 0.0, 0.0]))

    def test_relative_part(self):
        roots = MatrixRoots.of_nodes([[1.0, 0.0]])
        roots.check_range(np.array([[1.0, 0.9e-6]]), np.zeros(2))
        with pytest.raises(RangeError):
            roots.check_range(np.array([[1.0, 1.1e-6]]), np.zeros(2))

    def test_replicates_have_their_own_points(self):
        roots = MatrixRoots.of_nodes([[1.0, 0.0], [1.0, 1.0]])
        gradient = np.zeros((2, 2, 2))
        gradient[1, 0, 1] = 1e-13
        roots.check_range(gradient, np.array([[0.0, 0.0], [1e4, 0.0]]))
        with pytest.raises(RangeError, match="node 0"):
            roots.check_range(gradient, np.array([[1e4, 0.0], [0.0, 0.0]]))
